import { expectAccessible, written } from './kinds';
import { expect, test, writeSweep } from './mindviz';
import { writeLog } from './tiny_writer';

test('a narrow screen scrolls axes and table, with a shadow at their edges, not the page', async ({
  page,
  mindviz,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  writeSweep(mindviz.logs, 6);
  await page.goto(`${mindviz.url}#/sweep`);
  await expect(page.locator('tbody tr[aria-rowindex]').first()).toBeVisible();
  const chart = page.getByRole('img', { name: /^Parallel coordinates/ });
  await expect.poll(async () => (await chart.boundingBox())?.width).toBeGreaterThan(360);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const scroller = page.locator('.scroller:has(table)');
  const [before, beyond] = [
    scroller.locator('[data-edge=before]'),
    scroller.locator('[data-edge=beyond]'),
  ];
  await expect(beyond).toBeVisible();
  await expect(before).toHaveCount(0);
  await scroller.evaluate((one) => {
    one.scrollLeft = one.scrollWidth;
  });
  await expect(beyond).toHaveCount(0);
  // Next to the pinned column.
  const name = await page.locator('thead .first').boundingBox();
  expect((await before.boundingBox())?.x).toBeCloseTo((name?.x ?? 0) + (name?.width ?? 0), 0);
  await expectAccessible(page);
});

test('numbers are aligned right before a row that has one is in view', async ({
  page,
  mindviz,
}) => {
  // The only runs with an accuracy are the last rows.
  written('written_tasks', mindviz.logs);
  await page.goto(`${mindviz.url}#/sweep`);
  const head = page.locator('thead th:has([title$="/acc/max"])');
  await expect(head).toHaveText('acc max');
  await expect(page.locator('tbody tr[aria-rowindex="49"]')).toHaveCount(0);
  await expect(head).toHaveCSS('text-align', 'right');
});

test('without hyperparameters, shows how to log them; old links to datasets lead there', async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('a', 'events.out.tfevents.1700000000.host'), [
    { tag: 'loss', step: 0, value: 1, wall_time: 1_700_000_000 },
  ]);
  await page.goto(`${mindviz.url}#/hparams`);
  await expect(page.locator('.empty')).toContainText('No hyperparameters');
  await page.goto('about:blank');
  await page.goto(`${mindviz.url}#/lineage?view=data`);
  await expect(page).toHaveURL(/#\/data_lineage/);
  await expect(page.getByText('No dataset pipelines in this log directory.')).toBeVisible();
});
