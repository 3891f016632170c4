import type { Locator, Page } from '@playwright/test';

import { expectAccessible, writeKinds, written } from './kinds';
import { card, expect, test } from './mindviz';
import { bytes, drawInSpace, firstPainted, painted, withoutWebGl } from './pictures';

drawInSpace();

/** Moves the pointer onto a point and returns its name. */
async function pointAtSome(page: Page, picture: Locator): Promise<string> {
  const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const { x, y } = await firstPainted(picture);
  await page.mouse.move(box.x + x, box.y + y);
  return (await picture.locator('xpath=..').locator('.tip').textContent()) ?? '';
}

test('points are colored by label, searched, and list their neighbors', async ({
  page,
  mindviz,
}) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/embedding?runs=first`);
  const shownCard = card(page, 'words');
  await expect(shownCard).toContainText('60 points · 5 dimensions');
  await expect(shownCard).toContainText('of variance explained');
  // Points are colored by the last column, which has three groups of twenty.
  await expect(shownCard.getByRole('listitem')).toHaveText(['a20', 'b20', 'c20']);
  await page.locator('input[name=labels]').fill('word 1.');
  await expect(shownCard).toContainText('10 of 60 match');
  await expect(shownCard.locator('.near li')).toHaveCount(10);
  await shownCard.locator('.near button').first().click();
  await expect(shownCard).toContainText('Nearest neighbors of word 1');
  // Escape clears the selection and the search.
  await page.keyboard.press('Escape');
  await expect(shownCard).not.toContainText('Nearest neighbors of');
  await expect(page.locator('input[name=labels]')).toHaveValue('');
  await expectAccessible(page);
  // The nearest neighbors of a clicked point are in its group.
  await expect(shownCard.locator('canvas')).toHaveAttribute('data-drawn', 'yes');
  const name = await pointAtSome(page, shownCard.locator('canvas'));
  await page.mouse.down();
  await page.mouse.up();
  await expect(shownCard).toContainText(`Nearest neighbors of ${name}`);
  await expect(shownCard.locator('.near li')).toHaveCount(10);
  await expect(shownCard.locator('.near li').first()).toContainText(name.slice(-1));
  // The URL keeps the point.
  await expect(page).toHaveURL(/point=\d+@words@first/);
  await page.reload();
  await expect(shownCard).toContainText(`Nearest neighbors of ${name}`);
});

for (const [method, asked] of [
  ['UMAP', 'neighbours'],
  ['t-SNE', 'perplexity'],
] as const) {
  test(`${method} runs in a worker, with a selectable number of neighbors`, async ({
    page,
    mindviz,
  }) => {
    writeKinds(mindviz.logs);
    await page.goto(`${mindviz.url}#/embedding?runs=first&as=table`);
    const words = card(page, 'words');
    const row = words.getByRole('row').nth(1);
    await expect(row).toContainText('word 0');
    const before = await row.textContent();
    await page.getByRole('radio', { name: method }).click();
    await expect(row).toHaveText(/^0word 0a(−?[\d.]+(e[−-]?\d+)?){3}$/, { timeout: 20_000 });
    const usual = (await row.textContent()) ?? '';
    expect(usual).not.toBe(before);
    await page.locator(`input[name=${asked}]`).fill('5');
    await page.keyboard.press('Tab');
    await expect(page).toHaveURL(new RegExp(`${asked}=5`));
    await expect(words.getByRole('status')).toBeEmpty();
    await expect(row).not.toHaveText(usual);
    await page.getByRole('radio', { name: 'Chart' }).click();
    await expect(words.getByRole('status')).toBeEmpty();
    await expect.poll(() => painted(words.locator('canvas'))).toBeGreaterThan(300);
  });
}

test('points rotate, reset, and switch to 2D', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/embedding?runs=first`);
  const picture = card(page, 'words').locator('canvas');
  const back = page.getByRole('button', { name: 'Reset view' });
  await expect(picture).toHaveAttribute('data-drawn', 'yes');
  await expect.poll(() => painted(picture)).toBeGreaterThan(500);
  const first = await bytes(picture);
  const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2 + 20, { steps: 4 });
  await page.mouse.up();
  await expect(back).toBeVisible();
  // Dragging selects nothing.
  await expect(card(page, 'words')).not.toContainText('Nearest neighbors of');
  await expect(page).toHaveURL(/cam=.*@words@first/);
  await expect.poll(() => bytes(picture)).not.toBe(first);
  const turned = await bytes(picture);
  await page.reload();
  await expect.poll(() => bytes(picture)).toBe(turned);
  await back.click();
  await expect.poll(() => bytes(picture)).toBe(first);
  await page.getByRole('button', { name: '2D' }).click();
  await expect.poll(() => bytes(picture)).not.toBe(first);
  const flat = await bytes(picture);
  await picture.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => bytes(picture)).not.toBe(flat);
  await page.keyboard.press('0');
  await expect.poll(() => bytes(picture)).toBe(flat);
});

test('points are shown as their logged sprites', async ({ page, mindviz }) => {
  written('written_points', mindviz.logs, 'pictures');
  await page.goto(`${mindviz.url}#/embedding`);
  const picture = card(page, 'digits').locator('canvas');
  await expect(picture).toHaveAttribute('data-drawn', 'yes');
  expect(await painted(picture, [255, 0, 0])).toBe(0);
  await page.getByRole('checkbox', { name: 'Sprites', exact: true }).check();
  await expect(page).toHaveURL(/sprites=1/);
  await expect.poll(() => painted(picture, [255, 0, 0])).toBeGreaterThan(500);
  expect(await painted(picture, [0, 0, 255])).toBeGreaterThan(500);
  // Only matching points show their sprites.
  await page.locator('input[name=labels]').fill('^red$');
  await expect(card(page, 'digits')).toContainText('18 of 36 match');
  await expect.poll(() => painted(picture, [0, 0, 255])).toBe(0);
  expect(await painted(picture, [255, 0, 0])).toBeGreaterThan(500);
  await expectAccessible(page);
});

test('a sheet with too few sprites shows an error and keeps the points', async ({
  page,
  mindviz,
}) => {
  written('written_points', mindviz.logs, 'few');
  await page.goto(`${mindviz.url}#/embedding?sprites=1`);
  await expect(card(page, 'digits')).toContainText('sprite sheet has 1 image for 36 points');
  await expect.poll(() => painted(card(page, 'digits').locator('canvas'))).toBeGreaterThan(200);
});

test('points without coordinates are left out', async ({ page, mindviz }) => {
  written('written_points', mindviz.logs, 'odd');
  await page.goto(`${mindviz.url}#/embedding?as=table`);
  const odd = card(page, 'odd');
  await expect(odd).toContainText('2 points with non-finite coordinates are not drawn');
  for (const method of ['UMAP', 't-SNE']) {
    await page.getByRole('radio', { name: method }).click();
    await expect(odd.getByRole('row').nth(1)).toHaveText(/^0p0(−?[\d.]+(e[−-]?\d+)?){3}$/, {
      timeout: 20_000,
    });
    await expect(odd.getByRole('row').nth(4)).toHaveText('3p3–––');
    await expect(odd).toContainText('2 points with non-finite coordinates are not drawn');
  }
  await page.getByRole('radio', { name: 'Chart' }).click();
  await expect(odd.locator('canvas')).toHaveAttribute('data-drawn', 'yes');
});

test('20,000 points are drawn, searched and selected', async ({ page, mindviz, requests }) => {
  written('written_points', mindviz.logs, 'many');
  await page.goto(`${mindviz.url}#/embedding`);
  const tokens = card(page, 'tokens');
  const picture = tokens.locator('canvas');
  await expect(tokens).toContainText('20k points · 8 dimensions');
  await expect(picture).toHaveAttribute('data-drawn', 'yes');
  await expect(tokens.getByRole('listitem')).toHaveText([
    'cluster 05,000',
    'cluster 15,000',
    'cluster 25,000',
    'cluster 35,000',
  ]);
  await expect.poll(() => painted(picture)).toBeGreaterThan(5000);
  await page.locator('input[name=labels]').fill('cluster 2');
  await expect(tokens).toContainText('5,000 of 20k match');
  await page.locator('input[name=labels]').fill('');
  expect(await pointAtSome(page, picture)).toMatch(/^cluster \d$/);
  await page.mouse.down();
  await page.mouse.up();
  await expect(tokens.locator('.near li')).toHaveCount(10);
  // t-SNE places a sample of so many points and requests only the vectors of that sample.
  await page.getByRole('radio', { name: 't-SNE' }).click();
  await expect(tokens).toContainText('t-SNE: 0%');
  const [vectors] = requests.filter(({ pathname }) => pathname.endsWith('series/embedding/npy'));
  expect(vectors?.searchParams.get('dims')).toBe('[::7, :]');
});

test('without WebGL the points are shown as a table', async ({ page, mindviz }) => {
  written('written_points', mindviz.logs, 'pictures');
  await withoutWebGl(page);
  await page.goto(`${mindviz.url}#/embedding`);
  await expect(card(page, 'digits')).toContainText('WebGL is unavailable');
  await expect(card(page, 'digits').getByRole('row').nth(1)).toContainText('p0red');
  await expectAccessible(page);
});

test('a projector configuration without logs is a run, without its missing sprite', async ({
  page,
  mindviz,
}) => {
  written('written_points', mindviz.logs, 'projector');
  await page.goto(`${mindviz.url}#/embedding`);
  const shown = card(page, 'words');
  await expect(shown).toContainText('400 points · 2 dimensions');
  await expect.poll(() => painted(shown.locator('canvas'))).toBeGreaterThan(200);
  // Numbers are colors of a ramp, without the outermost; forty words are hues and neutral gray.
  await shown.getByRole('combobox', { name: 'Color by' }).selectOption('number');
  await expect(shown.locator('.range')).toContainText('4395');
  await shown.getByRole('combobox', { name: 'Color by' }).selectOption('word');
  await expect(shown.getByRole('listitem')).toHaveCount(25);
  await expect(shown.getByRole('listitem').last()).toContainText('other (16 values)');
  // A row of the legend shows its points alone, with their names.
  const row = shown.getByRole('button', { name: /^w00/ });
  await row.click();
  await expect(row).toHaveAttribute('aria-pressed', 'true');
  await expect(shown.locator('.host .name').first()).toContainText('w00');
  await page.keyboard.press('Escape');
  await expect(row).toHaveAttribute('aria-pressed', 'false');
  // A dragged area lists its points.
  await shown.getByRole('button', { name: 'Select area' }).click();
  const box = (await shown.locator('canvas').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + 4, box.y + 4);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 4, box.y + box.height - 4, { steps: 3 });
  await page.mouse.up();
  await expect(shown).toContainText('400 points selected');
  await expect(shown.locator('.near li')).toHaveCount(100);
  await shown.getByRole('button', { name: 'Clear (Esc)' }).click();
  await expect(shown.locator('.near li')).toHaveCount(0);
});

test('a reduction is drawn while it runs, pauses, and is kept', async ({ page, mindviz }) => {
  written('written_points', mindviz.logs, 'projector');
  await page.goto(`${mindviz.url}#/embedding?as=table`);
  const shown = card(page, 'words');
  const top = async (): Promise<number> => (await shown.boundingBox())?.y ?? NaN;
  await expect(shown.getByRole('row').nth(1)).toContainText('w00');
  const before = await top();
  await page.getByRole('radio', { name: 'UMAP' }).click();
  // The page does not shift.
  await expect(shown.locator('input[name=neighbours]')).toBeVisible();
  expect(await top()).toBe(before);
  await page.getByRole('radio', { name: 't-SNE' }).click();
  await shown.getByRole('button', { name: 'Pause' }).click();
  // A switch to 2D and back does not begin it again, and stays paused.
  await expect(shown.getByRole('button', { name: 'Resume' })).toBeVisible();
  await page.getByRole('button', { name: '2D' }).click();
  await expect(shown.getByRole('button', { name: 'Resume' })).toBeVisible();
  await expect(shown.getByRole('button', { name: 'Pause' })).toHaveCount(0);
  await page.getByRole('button', { name: '2D' }).click();
  await shown.getByRole('button', { name: 'Resume' }).click();
  await expect(shown.getByRole('button', { name: 'Pause' })).toHaveCount(0, { timeout: 30_000 });
  const row = shown.getByRole('row').nth(1);
  const space = await row.textContent();
  await page.getByRole('button', { name: '2D' }).click();
  await expect(shown.getByRole('button', { name: 'Pause' })).toHaveCount(0, { timeout: 30_000 });
  // Back in space, nothing is computed again.
  await page.getByRole('button', { name: '2D' }).click();
  await expect(row).toHaveText(space ?? '');
  await expect(shown.getByRole('button', { name: 'Pause' })).toHaveCount(0);
});

test('principal components stay until UMAP has its first result', async ({ page, mindviz }) => {
  written('written_points', mindviz.logs, 'projector');
  let release = (): void => undefined;
  const released = new Promise<void>((done) => (release = done));
  await page.route('**/embedding/npy?*', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${mindviz.url}#/embedding`);
  const shown = card(page, 'words');
  const picture = shown.locator('canvas');
  await expect(picture).toHaveAttribute('data-drawn', 'yes');
  await expect.poll(() => painted(picture)).toBeGreaterThan(300);
  const components = await bytes(picture);
  const place = await picture.boundingBox();
  await page.getByRole('radio', { name: 'UMAP' }).click();
  await expect(shown.getByRole('status')).toHaveText('UMAP: finding neighbors…');
  expect(await bytes(picture)).toBe(components);
  expect((await picture.boundingBox())?.y, 'the picture moved').toBe(place?.y);
  release();
  await expect(shown.getByRole('status')).not.toHaveText('UMAP: finding neighbors…');
  await expect.poll(() => bytes(picture)).not.toBe(components);
});

test('a single projector fills a wide page', async ({ page, mindviz }) => {
  await page.setViewportSize({ width: 2560, height: 1300 });
  written('written_points', mindviz.logs, 'projector');
  await page.goto(`${mindviz.url}#/embedding`);
  const widthOf = async (): Promise<number> =>
    (await card(page, 'words').boundingBox())?.width ?? NaN;
  await expect.poll(widthOf).toBeGreaterThan(1800);
});

test('the controls are there in full screen, too', async ({ page, mindviz }) => {
  written('written_points', mindviz.logs, 'projector');
  await page.goto(`${mindviz.url}#/embedding`);
  const shown = card(page, 'words');
  await shown.getByRole('button', { name: /Full screen/ }).click();
  await shown.getByRole('searchbox', { name: 'Search labels' }).fill('w01');
  await expect(shown).toContainText('10 of 400 match');
  await shown.locator('.near button').first().click();
  // Escape clears first, and leaves then.
  await page.keyboard.press('Escape');
  await expect(shown.locator('.near li')).toHaveCount(0);
  await expect(shown).toHaveClass(/full/);
  await page.keyboard.press('Escape');
  await expect(shown).not.toHaveClass(/full/);
});
