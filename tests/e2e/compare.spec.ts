import { card, drawnLines, expect, test, writeSweep } from './mindviz';

test('what runs don’t have in common is a table, a column for each', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 3);
  await page.goto(`${mindviz.url}#/compare?runs=adam/run_0`);
  await expect(page.getByText('Choose two runs or more')).toBeVisible();
  await page.locator('[data-all]').check();
  const table = page.locator('[data-differences]');
  await expect(table.getByRole('columnheader')).toHaveCount(4);
  await expect(table.locator('[data-difference=optimizer]').first()).toContainText('adam');
  await expect(table.locator('[data-difference=optimizer]').first()).toContainText('sgd');
  // All have the same dropout: it is no difference.
  await expect(table.locator('[data-difference=dropout]')).toHaveCount(0);
});

test('charts of the runs overlay', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 2);
  await page.goto(`${mindviz.url}#/compare`);
  await page.locator('[data-view=scalar]').click();
  await expect(card(page, 'train/loss').locator('.line-chart')).toBeVisible();
  await expect.poll(async () => (await drawnLines(page, 'train/loss')).map(({ id }) => id).sort()).toEqual(['./adam/run_0', './sgd/run_1']);
  await expect(page).toHaveURL(/view=scalar/);
});
