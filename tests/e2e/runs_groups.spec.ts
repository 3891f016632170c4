import type { Locator, Page } from '@playwright/test';

import { expectAccessible } from './kinds';
import { drawnLines, expect, expectLines, test, writeSweep } from './mindviz';
import { points, writeLog } from './tiny_writer';

const labels = (page: Page): Promise<string[]> => page.locator('.group .fold b').allTextContents();
const head = (page: Page, column: string): Locator => page.locator(`[data-column="${column}"]`);
const groupBy = (page: Page): Locator => page.locator('select[name=group]');

test.use({ bypassCSP: true });

test('repetitions with other seeds form groups with means and deviations, sorted by mean', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 12, 3);
  await page.goto(`${mindviz.url}#/runs?cols=name~learning_rate~optimizer~seed~metric/accuracy`);
  await expect(page.locator('.run')).toHaveCount(12);
  await page.getByRole('button', { name: 'Mean over seeds' }).click();
  await expect(groupBy(page)).toHaveValue('*-seed');
  await expect(page).toHaveURL(/by=\*-seed/);
  await expect(page.locator('.group')).toHaveCount(4);
  // Learning rates are 0.001 to 0.004; every second one uses sgd.
  await expect
    .poll(() => labels(page))
    .toEqual([
      'lr 0.001, optimizer adam',
      'lr 0.002, optimizer sgd',
      'lr 0.003, optimizer adam',
      'lr 0.004, optimizer sgd',
    ]);
  // Names have the room that they need.
  const cut = (names: Element[]): number =>
    names.filter((name) => name.scrollWidth > name.clientWidth).length;
  expect(await page.locator('.group .title').evaluateAll(cut)).toBe(0);
  const first = page.locator('.group').first();
  await expect(first).toContainText('3 runs');
  // Accuracies are 0.949, 0.950, 0.951; shared values also have their own columns.
  await expect(first).toContainText(/0\.950 ± 0\.001\s*\(n=3\)/);
  await expect(first.getByRole('cell').nth(2)).toHaveText('0.001');
  await expect(first.getByRole('cell').nth(3)).toHaveText('adam');
  // Seeds differ, and their mean would be meaningless.
  await expect(first.getByRole('cell').nth(4)).toHaveText('');
  await head(page, 'metric/accuracy').locator('.title').click();
  await expect
    .poll(() => labels(page))
    .toEqual([
      'lr 0.001, optimizer adam',
      'lr 0.003, optimizer adam',
      'lr 0.002, optimizer sgd',
      'lr 0.004, optimizer sgd',
    ]);
  await expect(head(page, 'user_defined/lr')).toHaveAttribute('aria-sort', 'none');
  await expectAccessible(page);
  // Groups are compared with the baseline, which is in the first group, by their means.
  await page.locator('[data-job="./adam/run_0"]').hover();
  await page.getByRole('button', { name: 'Set as baseline: adam/run_0' }).click();
  const difference = (index: number): Locator =>
    page.locator('.group').nth(index).locator('.difference');
  await expect(difference(0)).toHaveText('+0.001 (+0.11%)');
  await expect(difference(3)).toHaveClass(/worse/);
  // On a narrow screen, too, below the name.
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.locator('.group .facets').first()).toHaveText(
    /accuracy\s*0\.950 ± 0\.001\s*\+0\.001 \(\+0\.11%\)/,
  );
  await page.setViewportSize({ width: 1280, height: 720 });
  // Charts show the same means, of whole groups, with the second click.
  await page.locator('.rail').getByRole('link', { name: 'Charts' }).click();
  await expectLines(page, 'accuracy', 4);
  // The panel names them alike.
  await expect(page.getByRole('complementary', { name: 'Runs' }).locator('h3 .cut')).toHaveText([
    'lr 0.001, optimizer adam',
    'lr 0.003, optimizer adam',
    'lr 0.002, optimizer sgd',
    'lr 0.004, optimizer sgd',
  ]);
});

test('the grouping is readable at 1280 px', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 2);
  await page.setViewportSize({ width: 1280, height: 720 });
  for (const name of ['runs', 'scalar']) {
    await page.goto(`${mindviz.url}#/${name}`);
    const select = page.locator('main select[name=group]');
    await expect(select).toBeVisible();
    // Alone, the selected option needs no more room.
    const missing = await select.evaluate((element) => {
      const alone = element.cloneNode() as HTMLSelectElement;
      alone.append(new Option((element as HTMLSelectElement).selectedOptions[0]?.text));
      alone.style.cssText = 'width: auto; max-width: none';
      element.after(alone);
      const wanted = alone.getBoundingClientRect().width;
      alone.remove();
      return wanted - element.getBoundingClientRect().width;
    });
    expect(missing, name).toBeLessThanOrEqual(0);
  }
});

test('groups by several columns are folded, unfolded and selected', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 8);
  await page.goto(`${mindviz.url}#/runs?group=optimizer&runs=`);
  await expect.poll(() => labels(page)).toEqual(['adam', 'sgd']);
  await groupBy(page).selectOption('Multiple columns…');
  const dialog = page.locator('dialog[open]');
  await dialog.locator('label[title$=seed] input').check();
  await page.keyboard.press('Escape');
  // Seeds go from 0 to 3; adam has the even ones.
  await expect
    .poll(() => labels(page))
    .toEqual([
      'optimizer adam, seed 0',
      'optimizer adam, seed 2',
      'optimizer sgd, seed 1',
      'optimizer sgd, seed 3',
    ]);
  await expect(groupBy(page)).toHaveValue('#several');
  await page.getByRole('button', { name: /^(Collapse|Expand) all$/ }).click();
  await expect(page.locator('.run')).toHaveCount(0);
  await page.locator('.group .fold').nth(1).click();
  await expect(page.locator('.run')).toHaveCount(2);
  await page.reload();
  await expect(page.locator('.group .fold').nth(1)).toHaveAttribute('aria-expanded', 'true');
  await expect(page.locator('.run')).toHaveCount(2);
  await page.locator('.group input').nth(1).check();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.locator('.group input').nth(1).uncheck();
  await expect(page.getByText('2 selected')).toHaveCount(0);
  await page.getByRole('button', { name: /^(Collapse|Expand) all$/ }).click();
  await expect(page.locator('.run')).toHaveCount(8);
});

test('a column is moved, sorted, pinned and widened by keyboard', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 3);
  await page.goto(`${mindviz.url}#/runs?cols=name~state~optimizer~metric/accuracy&sort=name`);
  await expect(head(page, 'metric/accuracy')).toBeVisible();
  const order = (): Promise<(string | null)[]> =>
    page
      .locator('[data-column]')
      .evaluateAll((heads) => heads.map((one) => one.getAttribute('data-column')));
  const title = head(page, 'optimizer').locator('.title');
  await title.focus();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(order).toEqual(['name', 'optimizer', 'state', 'metric/accuracy']);
  await expect(title).toBeFocused();
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(order).toEqual(['name', 'state', 'metric/accuracy', 'optimizer']);
  await page.keyboard.press('Enter');
  await expect(head(page, 'optimizer')).toHaveAttribute('aria-sort', 'ascending');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Add as secondary sort' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/pin=2/);
  await expect.poll(order).toEqual(['name', 'optimizer', 'state', 'metric/accuracy']);
  await expect(head(page, 'optimizer').locator('.more')).toBeFocused();
  const before = (await head(page, 'optimizer').boundingBox())?.width ?? 0;
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Wider' }).press('Enter');
  await expect
    .poll(async () => (await head(page, 'optimizer').boundingBox())?.width)
    .toBe(before + 40);
  await expect(page).toHaveURL(/widths=optimizer(:|%3A)180/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(head(page, 'optimizer').locator('.more')).toBeFocused();
});

test('a narrow screen sorts by a list of columns', async ({ page, mindviz }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  writeSweep(mindviz.logs, 6);
  // The direction is the same if the values arrive after the column was selected.
  let answer = (): void => undefined;
  const selected = new Promise<void>((done) => (answer = done));
  await page.route(/lineage-columns/, async (route) => {
    await selected;
    await route.fallback();
  });
  await page.goto(`${mindviz.url}#/runs?cols=name~metric/accuracy`);
  await page.locator('select[name=sort]').selectOption('accuracy');
  answer();
  await expect(page.locator('.run').first()).toHaveAttribute('data-job', './adam/run_0');
  await page.getByRole('button', { name: 'Reverse order' }).click();
  await expect(page.locator('[aria-rowindex="2"]')).toHaveAttribute('data-job', './sgd/run_5');
  await page.locator('select[name=group]').selectOption('optimizer');
  await expect(page.locator('.group')).toHaveCount(2);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectAccessible(page);
});

test('runs without config are listed together, but not averaged', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 4, 2);
  for (const [name, count] of [
    ['plain', 20],
    ['other', 30],
  ] as const)
    writeLog(mindviz.file(name, 'events.out.tfevents.1.host'), points('loss', count));
  await page.goto(`${mindviz.url}#/runs?cols=name~scalar/loss/last&by=*-seed&runs=*`);
  const rest = page.locator('.group', { hasText: 'No config' });
  await expect(rest).toContainText('2 runs');
  await expect(page.locator('.run', { hasText: 'plain' })).toBeVisible();
  await expect(rest.getByRole('cell').nth(2)).toHaveText('');
  await page.locator('.rail a[href*="#/scalar"]').click();
  await expect
    .poll(async () => (await drawnLines(page, 'loss')).map(({ id }) => id).sort())
    .toEqual(['other', 'plain']);
  await expect(page.locator('.panel h3', { hasText: 'No config' })).toContainText('2');
});
