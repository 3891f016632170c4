import { expect, row, runsOf, test, writeSweep } from './mindviz';
import { bytes } from './pictures';
import { writeLog } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

test('a brush on an axis filters the table, is kept in the URL and can become the selection', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 12);
  await page.goto(`${mindviz.url}#/lineage`);
  const rows = page.locator('tbody tr[aria-rowindex]');
  await expect(rows).toHaveCount(12);
  const chart = page.getByRole('img', {
    name: /^Parallel coordinates of 12 runs over lr.*accuracy/,
  });
  await expect(chart).toBeVisible();
  // The rightmost axis is the last field, accuracy: the better runs are in its upper half.
  const box = await chart.boundingBox();
  if (!box) throw new Error('The chart has no place.');
  await page.mouse.move(box.x + box.width - 80, box.y + 42);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 80, box.y + 42 + (box.height - 62) / 2, { steps: 5 });
  await page.mouse.up();
  await expect(rows).toHaveCount(6);
  await expect(page.getByText('6 of 12 runs')).toBeVisible();
  for (const run of await runsOf(rows)) expect(run).toContain('adam');
  await expect(page).toHaveURL(/brush=/);
  await page.reload();
  await expect(rows).toHaveCount(6);
  await page.getByRole('button', { name: 'Select 6 runs' }).click();
  await expect(page).toHaveURL(/runs=/);
  await expect(page.getByRole('status').filter({ hasText: '6 of 6 runs' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).not.toHaveURL(/brush=/);
});

test('shows the importance of parameters, its confidence, and the distribution of results', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 12);
  await page.goto(`${mindviz.url}#/lineage?filter=optimizer%20%3D%20adam`);
  const panel = page.locator('section.importance');
  await expect(
    panel.getByRole('heading', { name: 'Parameter importance for accuracy' }),
  ).toBeVisible();
  await expect(
    panel.getByRole('img', { name: /^Distribution of accuracy: 6 runs from 0\.9/ }),
  ).toBeVisible();
  // Accuracy depends only on the learning rate.
  await expect(panel.locator('li').first()).toContainText('1.00');
  await expect(panel.getByText('Based on only 6 runs')).toBeVisible();
  await expect(panel.locator('li', { hasText: 'lr' }).getByRole('img')).toHaveAttribute(
    'aria-label',
    /Spearman −1/,
  );
  await panel.getByText('Table').click();
  const counts = await panel.locator('.counts td:last-child').allTextContents();
  expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(6);
});

test('columns are plotted in pairs, the table is sorted, runs are opened', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 6);
  await page.goto(`${mindviz.url}#/lineage`);
  await page.getByRole('button', { name: 'Scatter matrix' }).click();
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.locator('select[name=scale]').selectOption('log');
  await page.locator('select[name=tint]').selectOption({ label: 'Color by accuracy' });
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/scale=log&tint=metric\/accuracy|tint=.*scale=log/);
  await expect(
    page.getByRole('img', { name: /^Scatter matrix of .*accuracy for 6 runs/ }),
  ).toBeVisible();
  // Hovering over a run in the table highlights its line.
  const lines = page.getByRole('img', { name: /^Parallel coordinates/ }).locator('canvas');
  const usual = await bytes(lines);
  await page.locator('tbody tr[aria-rowindex]').nth(2).hover();
  await expect.poll(() => bytes(lines)).not.toBe(usual);
  await page.mouse.move(600, 20);
  await expect.poll(() => bytes(lines)).toBe(usual);
  await page.getByRole('columnheader', { name: 'accuracy' }).getByRole('button').click();
  await expect(page.locator('tbody tr[aria-rowindex]').first()).toContainText('adam/run_0');
  await row(page, 'adam/run_2').locator('a').click();
  await expect(page.getByRole('dialog', { name: 'adam/run_2' })).toBeVisible();
});

test('without lineage, shows what logs it', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), [{ tag: 'loss', step: 0, value: 1, wall_time: 1_700_000_000 }]);
  await page.goto(`${mindviz.url}#/lineage`);
  await expect(page.getByText('No hyperparameters or metrics logged')).toBeVisible();
  await page.goto('about:blank');
  await page.goto(`${mindviz.url}#/lineage?view=data`);
  await expect(page).toHaveURL(/#\/data_lineage/);
  await expect(page.getByText('No dataset pipeline logged')).toBeVisible();
});
