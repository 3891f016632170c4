import { readFileSync } from 'node:fs';

import { expectAccessible, writeKinds, written } from './kinds';
import { card, expect, row, test } from './mindviz';
import { wordsDrawn } from './pictures';

test('one chart shows the curves of all runs, its legend their areas', async ({
  page,
  mindviz,
}) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/curves`);
  const shownCard = card(page, 'detector');
  await expect(shownCard.locator('path.curve')).toHaveCount(2);
  await expect(shownCard.locator('.curve-chart')).toHaveAttribute(
    'aria-label',
    'Precision–recall of detector: 2 runs.',
  );
  // Ticks are written as in line charts.
  await expect(shownCard.locator('.labels text[text-anchor=end]')).toHaveText([
    '0',
    '0.25',
    '0.50',
    '0.75',
    '1.00',
  ]);
  const legend = shownCard.getByRole('list', { name: 'Runs' });
  const entries = legend.getByRole('listitem');
  await expect(entries).toHaveCount(2);
  for (const run of ['first', 'second'])
    await expect(entries.filter({ hasText: run })).toHaveText(/AP 0\.\d+/);
  await expect(shownCard).toContainText('Step 20');
  // Hovering over a run highlights its curve.
  await row(page, 'first').hover();
  await expect(shownCard.locator('path.curve.lit')).toHaveAttribute('data-run', './first');
  await page.mouse.move(600, 20);
  await expect(shownCard.locator('path.curve.lit')).toHaveCount(0);
  const newest = await entries.first().textContent();
  await expectAccessible(page);
  // Detection improves over the steps.
  await page.keyboard.press('[');
  await expect(shownCard).toContainText('Step 10');
  await expect(entries.first()).not.toHaveText(newest ?? '');
});

test('the crosshair has a row per run with threshold and counts', async ({ page, mindviz }) => {
  written('written_rates', mindviz.logs);
  await page.goto(`${mindviz.url}#/curves`);
  const shownCard = card(page, 'detector');
  await expect(shownCard).toContainText('ROC');
  await expect(shownCard.getByRole('listitem')).toHaveText(/rates.*AUC 0\.80?0?/);
  const chart = shownCard.locator('.curve-chart');
  const box = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  // The lowest threshold is in the upper right corner: it finds everything, right or wrong.
  await page.mouse.move(box.x + box.width - 16, box.y + 10, { steps: 3 });
  const tip = page.locator('.chart-tooltip');
  await expect(tip.getByRole('row').first()).toHaveText(/RunFPRTPRThresholdTPFPTNFN$/);
  await expect(tip.getByRole('row').nth(1)).toHaveText(/^rates11010010000$/);
  await expect(tip.getByRole('columnheader', { name: 'FN' })).toBeInViewport({ ratio: 1 });
  await page.mouse.move(0, 0);
  await expect(tip).toHaveCount(0);
});

test('keys move the crosshair from point to point', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/curves`);
  const chart = card(page, 'detector').locator('.curve-chart');
  await expect(chart.locator('path.curve').first()).toBeVisible();
  await chart.focus();
  await page.keyboard.press('End');
  const tip = page.locator('.chart-tooltip');
  await expect(tip).toContainText('Recall 1');
  await expect(tip.getByRole('row')).toHaveCount(3);
  const atEnd = await tip.locator('.hint').textContent();
  await page.keyboard.press('ArrowLeft');
  await expect(tip.locator('.hint')).not.toHaveText(atEnd ?? '');
  await page.keyboard.press('Escape');
  await expect(tip).toHaveCount(0);
});

test('the points are in the table and in a CSV file, the curves in a PNG file', async ({
  page,
  mindviz,
}) => {
  written('written_rates', mindviz.logs);
  const drawn = await wordsDrawn(page);
  await page.goto(`${mindviz.url}#/curves`);
  const shownCard = card(page, 'detector');
  const download = async (name: string): Promise<Buffer> => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      shownCard.getByRole('button', { name }).click(),
    ]);
    return readFileSync(await file.path());
  };
  await expect(shownCard.locator('path.curve')).toHaveCount(1);
  expect((await download('Download detector as PNG')).subarray(1, 4).toString()).toBe('PNG');
  const ticks = await shownCard.locator('.labels text').allTextContents();
  expect(await drawn()).toEqual(expect.arrayContaining(ticks));
  const lines = (await download('Download detector as CSV')).toString().split('\r\n');
  expect(lines[0]).toBe('Run,Step,Threshold,False positive rate,True positive rate,TP,FP,TN,FN');
  expect(lines[1]).toBe('rates,1,0,1,1,100,100,0,0');
  await shownCard.getByRole('button', { name: 'Table' }).click();
  await expect(shownCard.getByRole('row').nth(1)).toHaveText(/^rates1011100100/);
  await expect(shownCard.getByRole('row')).toHaveCount(lines.length - 1);
  await expectAccessible(page);
});

test('where the steps of runs differ, the legend has the step of each', async ({
  page,
  mindviz,
}) => {
  writeKinds(mindviz.logs);
  await page.route(/series\/pr_curve\?.*second/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { step: number[] };
    await route.fulfill({ response, json: { ...body, step: [1, 11, 21] } });
  });
  await page.goto(`${mindviz.url}#/curves`);
  const entries = card(page, 'detector').getByRole('list', { name: 'Runs' }).getByRole('listitem');
  for (const [run, step] of [
    ['first', 20],
    ['second', 21],
  ] as const)
    await expect(entries.filter({ hasText: run })).toHaveText(new RegExp(`AP .* · step ${step}$`));

  // A run's slider moves its step alone, in all cards and in the link.
  await page.getByRole('slider', { name: 'Step of first' }).first().press('Home');
  await expect(entries.filter({ hasText: 'first' })).toHaveText(/step 0$/);
  await expect(entries.filter({ hasText: 'second' })).toHaveText(/step 21$/);
  await expect(page).toHaveURL(/steps=0@first/);
  await page.getByRole('button', { name: 'Show first at the step of the page' }).first().click();
  await expect(entries.filter({ hasText: 'first' })).toHaveText(/step 20$/);
  await expect(page).not.toHaveURL(/steps=/);
});

test('average precision over time is a line per run', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/curves?show=time`);
  const chart = card(page, 'detector').locator('.line-chart');
  await expect(chart).toBeVisible();
  const lines = await chart.evaluate((element) =>
    (element as unknown as { lines: { x: Float64Array; y: Float64Array }[] }).lines.map(
      ({ x, y }) => ({ x: [...x], y: [...y] }),
    ),
  );
  expect(lines.map(({ x }) => x)).toEqual([
    [0, 10, 20],
    [0, 10, 20],
  ]);
  await chart.focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.job.lit')).toHaveCount(1);
  await page.keyboard.press('Shift');
  await expect(page.locator('.chart-tooltip')).toContainText(/Esc/);
  for (const { y } of lines) for (const value of y) expect(value).toBeGreaterThan(0.5);
});
