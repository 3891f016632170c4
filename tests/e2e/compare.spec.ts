import { cpSync } from 'node:fs';

import { writeKinds } from './kinds';
import { card, drawnLines, expect, row, test, writeSweep } from './mindviz';

test('differences between runs are shown in a table, one column per run', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 3);
  await page.goto(`${mindviz.url}#/compare?runs=adam/run_0`);
  await expect(page.getByText('Select at least two runs')).toBeVisible();
  await page.locator('input[name=all]').check();
  const table = page.locator('table.facts');
  await expect(table.getByRole('columnheader')).toHaveCount(4);
  await expect(table.locator('tr:has(> th[title="optimizer"])').first()).toContainText('adam');
  await expect(table.locator('tr:has(> th[title="optimizer"])').first()).toContainText('sgd');
  await expect(table.locator('tr.group')).toHaveText(['Config', /^Metrics/, /^Scalars/]);
  // All runs have the same dropout, so it is not listed.
  await expect(table.locator('tr:has(> th[title="dropout"])')).toHaveCount(0);
  // The accuracy is both a metric and the last value of a scalar, but listed once; the loss is only a scalar.
  await expect(table.locator('tr:has(> th[title="accuracy"])')).toHaveCount(1);
  await expect(table.locator('tr:has(> th[title="train/loss"])')).toHaveCount(1);
});

test("charts overlay the runs with the link's smoothing and zoom", async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 2);
  await page.goto(`${mindviz.url}#/scalar`);
  // A mode of the page, which stays the current tab.
  await page.getByRole('link', { name: 'Compare' }).click();
  await expect(page.locator('.tabs li [aria-current=page]')).toHaveText('Scalars');
  await expect(page.locator('table.facts tr:has(> th[title="optimizer"])')).toBeVisible();
  await expect(card(page, 'train/loss').locator('.line-chart')).toBeVisible();
  await expect
    .poll(async () => (await drawnLines(page, 'train/loss')).map(({ id }) => id).sort())
    .toEqual(['./adam/run_0', './sgd/run_1']);
  await expect(page).toHaveURL(/view=scalar/);
  // Custom charts are on the other page.
  const menu = card(page, 'train/loss').getByRole('button', { name: /^Chart menu/ });
  await menu.click();
  await expect(page.getByRole('button', { name: 'Download PNG' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Overlay|^Pin/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  // The server smooths, as for the scalars page, which keeps the settings made here.
  const smoothed = (): Promise<boolean> =>
    drawnLines(page, 'train/loss').then(
      (lines) =>
        lines.length === 2 && lines.every(({ raw, y }) => raw !== null && raw.at(-1) !== y.at(-1)),
    );
  await page.getByRole('spinbutton', { name: 'Smoothing' }).fill('0.995');
  await page.keyboard.press('Enter');
  await expect.poll(smoothed).toBe(true);
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.locator('select[name=smoothing-kind]').selectOption('gaussian');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/smooth=gaussian:10/);
  await page.goto('about:blank');
  await page.goto(`${mindviz.url}#/compare?view=scalar&smooth=0.9&zoom=1..3`);
  await expect.poll(smoothed).toBe(true);
  await page.getByRole('button', { name: '1–3' }).click();
  await expect(page).not.toHaveURL(/zoom=/);
  await page.getByRole('link', { name: 'Compare' }).click();
  await expect.poll(smoothed).toBe(true);
  await expect(page).toHaveURL(/scalar\?.*smooth=0.9/);
});

test('images, texts, audio and histograms of the runs are side by side at one step', async ({
  page,
  mindviz,
}) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/compare?view=image`);
  const section = page.locator('section[aria-label="view/camera"]');
  await expect(section.locator('img')).toHaveCount(2);
  // One slider controls all cards, also on the other views.
  await page.locator('input[name=step]').focus();
  await page.keyboard.press('Home');
  await expect(page).toHaveURL(/step=0/);
  for (const [view, tag, said] of [
    ['Text', 'notes', 'Step 0'],
    ['Audio', 'speech', 'Step 0'],
    ['Histograms', 'layer/weight', '3 steps'],
  ] as const) {
    if (view === 'Histograms') await page.goto(`${mindviz.url}#/compare?view=histogram&step=0`);
    else await page.locator('.tabs').getByRole('link', { name: view }).click();
    await expect(page.locator('.tabs .mode.on')).toBeVisible();
    const cards = page.locator(`section[aria-label="${tag}"] article`);
    await expect(cards).toHaveCount(2);
    for (const run of ['first', 'second'])
      await expect(cards.and(card(page, tag, run))).toContainText(said);
  }
  // Histograms in a row share axes unless separate ones are selected.
  const charts = page.locator('section[aria-label="layer/weight"] .histogram-chart');
  const axes = (): Promise<string[]> =>
    charts.evaluateAll((all) =>
      all.map((one) => {
        const { range, peak } = (
          one as unknown as { scene: { range: readonly number[]; peak?: number } }
        ).scene;
        return JSON.stringify([range, peak ?? null]);
      }),
    );
  await expect.poll(async () => new Set(await axes()).size).toBe(1);
  await page.getByRole('button', { name: 'Share axes' }).click();
  await expect(page).toHaveURL(/apart=1/);
  await expect.poll(async () => new Set(await axes()).size).toBe(2);
  await row(page, 'second').locator('input').uncheck();
  await expect(page.locator('.empty')).toContainText('Select at least two runs');
});

test('cards of many runs take several lines instead of scrolling sideways', async ({
  page,
  mindviz,
}) => {
  writeKinds(mindviz.logs);
  for (const copy of ['third', 'fourth', 'fifth', 'sixth'])
    cpSync(mindviz.file('first'), mindviz.file(copy), { recursive: true });
  for (const [width, lines] of [
    [1280, 2],
    [360, 6],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('about:blank');
    await page.goto(`${mindviz.url}#/compare?view=text`);
    const row = page.locator('section[aria-label="notes"]');
    await expect(row.locator('article')).toHaveCount(6);
    const tops = await row
      .locator('article')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(tops).size, `lines at ${width}`).toBe(lines);
    expect(
      await row.locator('xpath=../..').evaluate((one) => one.scrollWidth - one.clientWidth),
    ).toBe(0);
    // The next row is below all lines.
    const bottom = await row.evaluate((one) => one.getBoundingClientRect().bottom);
    expect(bottom).toBeGreaterThan(Math.max(...tops));
  }
});
