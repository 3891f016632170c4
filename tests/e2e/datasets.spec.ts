import type { Page } from '@playwright/test';

import { expectAccessible, writeDatasets } from './kinds';
import { expect, runsOf, test } from './mindviz';

test.use({ bypassCSP: true });

const jobs = (page: Page): Promise<(string | null)[]> =>
  runsOf(page.locator('tbody tr[aria-rowindex]'));

test("a dataset's operations are listed step by step, and runs and datasets link to each other", async ({
  page,
  mindviz,
}) => {
  writeDatasets(mindviz.logs);
  await page.goto(`${mindviz.url}#/sweep`);
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
