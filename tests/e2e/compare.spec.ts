import { writeKinds } from './kinds';
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
  // The accuracy is a metric and a scalar's last value, and told once; of the loss there is the latter alone.
  await expect(table.locator('[data-difference=accuracy]')).toHaveCount(1);
  await expect(table.locator('[data-difference="train/loss"]')).toHaveCount(1);
});

test('charts of the runs overlay', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 2);
  await page.goto(`${mindviz.url}#/compare`);
  await page.getByRole('radio', { name: 'Scalars' }).click();
  await expect(card(page, 'train/loss').locator('.line-chart')).toBeVisible();
  await expect.poll(async () => (await drawnLines(page, 'train/loss')).map(({ id }) => id).sort()).toEqual(['./adam/run_0', './sgd/run_1']);
  await expect(page).toHaveURL(/view=scalar/);
});

test('images, texts, sounds and histograms of the runs stand beside each other, at one step', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/compare?view=image`);
  const row = page.locator('[data-compared="view/camera"]');
  await expect(row.locator('img')).toHaveCount(2);
  // One slider leads all of them, also on the other views.
  await page.locator('input[name=step]').focus();
  await page.keyboard.press('Home');
  await expect(page).toHaveURL(/step=0/);
  for (const [view, tag, said] of [['Texts', 'notes', 'Step 0'], ['Audio', 'speech', 'Step 0'], ['Histograms', 'layer/weight', 'all 3 steps']] as const) {
    await page.getByRole('radio', { name: view }).click();
    const cards = page.locator(`[data-compared="${tag}"] article`);
    await expect(cards).toHaveCount(2);
    for (const job of ['./first', './second']) await expect(cards.and(page.locator(`[data-card-job="${job}"]`))).toContainText(said);
  }
  // Histograms of a row have the same axes, unless one wants them to have their own.
  const charts = page.locator('[data-compared="layer/weight"] .histogram-chart');
  const axes = (): Promise<string[]> => charts.evaluateAll((all) => all.map((one) => {
    const { range, peak } = (one as unknown as { scene: { range: readonly number[]; peak?: number } }).scene;
    return JSON.stringify([range, peak ?? null]);
  }));
  await expect.poll(async () => new Set(await axes()).size).toBe(1);
  await page.getByRole('button', { name: 'same axes' }).click();
  await expect(page).toHaveURL(/apart=1/);
  await expect.poll(async () => new Set(await axes()).size).toBe(2);
  await page.locator('[data-job="./second"] input').uncheck();
  await expect(page.locator('[data-empty=page]')).toContainText('Choose two runs or more');
});
