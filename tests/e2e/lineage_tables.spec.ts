import type { Page } from '@playwright/test';

import { expectAccessible, writeDatasets } from './kinds';
import { expect, runsOf, test, writeSweep } from './mindviz';

test.use({ bypassCSP: true });

const jobs = (page: Page): Promise<(string | null)[]> =>
  runsOf(page.locator('tbody tr[aria-rowindex]'));

test("a dataset's operations are listed step by step, and runs and datasets link to each other", async ({
  page,
  mindviz,
}) => {
  writeDatasets(mindviz.logs);
  await page.goto(`${mindviz.url}#/lineage`);
  await page
    .locator('tr', { has: page.locator('.job-name[title=b]') })
    .getByRole('button', { name: /^View dataset/ })
    .click();
  await expect(page).toHaveURL(/#\/data_lineage\?.*dataset=/);
  const dataset = page.locator('article.wanted');
  await expect(dataset).toHaveCount(1);
  await expect(page.locator('article')).toHaveCount(2);
  await expect(dataset.locator('.jobs a')).toHaveText(['a', 'b']);
  // From the data source to the training.
  await expect(dataset.locator('dt')).toHaveText(['MnistDataset', 'BatchDataset']);
  await expect(dataset.locator('dl').first()).toContainText(
    '1. Resize size [32,32], weights [0.1,0.9]',
  );
  await expect(dataset.locator('dl').nth(1)).toContainText('batch size 32');
  await expectAccessible(page);
  await dataset.getByRole('button', { name: 'View runs' }).click();
  await expect.poll(() => jobs(page)).toHaveLength(2);
  await expect(page).toHaveURL(/runs=[ab]~[ab]/);
  await page.goBack();
  await page.locator('article.wanted .jobs a').first().click();
  await expect(page).toHaveURL(/#\/runs\?.*job=/);
});

test('columns are selected and sorted, and the URL keeps them', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 6);
  await page.goto(`${mindviz.url}#/lineage`);
  const head = (name: string) => page.getByRole('columnheader', { name }).getByRole('button');
  await head('optimizer').click();
  await head('accuracy').click({ modifiers: ['Shift'] });
  await expect
    .poll(() => jobs(page))
    .toEqual(['adam/run_0', 'adam/run_2', 'adam/run_4', 'sgd/run_1', 'sgd/run_3', 'sgd/run_5']);
  await head('optimizer').click({ modifiers: ['Shift'] });
  await expect
    .poll(() => jobs(page))
    .toEqual(['sgd/run_1', 'sgd/run_3', 'sgd/run_5', 'adam/run_0', 'adam/run_2', 'adam/run_4']);
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'optimizer' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await expect.poll(async () => (await jobs(page))[0]).toBe('sgd/run_1');
  // Values logged under two names have one column.
  await expect(page.getByRole('columnheader', { name: 'learning_rate', exact: true })).toHaveCount(
    0,
  );
  await expectAccessible(page);
  await expect(page.getByRole('columnheader', { name: 'dropout' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const choices = page.getByRole('dialog', { name: 'Columns' });
  await choices.getByRole('checkbox', { name: 'dropout' }).check();
  await choices.getByRole('checkbox', { name: 'seed' }).uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'dropout' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'seed' })).toHaveCount(0);
  await expect(
    page.getByRole('img', { name: /^Parallel coordinates of 6 runs over .*dropout/ }),
  ).toBeVisible();
});

test('the confidence of an importance is drawn within its bar', async ({ page, mindviz }) => {
  // Forests are trained twenty times.
  test.setTimeout(60_000);
  writeSweep(mindviz.logs, 24);
  await page.goto(`${mindviz.url}#/lineage?runs=*`);
  const parameter = page.locator('li', { hasText: 'lr' });
  await expect(parameter.getByRole('img')).toHaveAttribute(
    'aria-label',
    /Pearson .* Spearman .*RF importance .* \(.*–.*\)/,
    { timeout: 40_000 },
  );
  const track = await parameter.locator('.track').boundingBox();
  const interval = await parameter.locator('.interval').boundingBox();
  if (!track || !interval) throw new Error('The interval has no place.');
  expect(interval.x).toBeGreaterThanOrEqual(track.x);
  expect(interval.x + interval.width).toBeLessThanOrEqual(track.x + track.width + 0.5);
});

test('a narrow screen scrolls axes and table, not the page', async ({ page, mindviz }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  writeSweep(mindviz.logs, 6);
  await page.goto(`${mindviz.url}#/lineage`);
  await expect(page.locator('tbody tr[aria-rowindex]').first()).toBeVisible();
  const chart = page.getByRole('img', { name: /^Parallel coordinates/ });
  await expect.poll(async () => (await chart.boundingBox())?.width).toBeGreaterThan(360);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectAccessible(page);
});
