import type { Locator, Page } from '@playwright/test';

import { expectAccessible, writeKinds, written } from './kinds';
import { card, expect, test } from './mindviz';
import { bytes, painted } from './pictures';

const cardOf = (page: Page, job: string): Locator => card(page, 'layer/weight', job);

/** The number of values of each drawn step. */
function countsOf(card: Locator): Promise<number[]> {
  return card.locator('.histogram-chart').evaluate((element) => {
    const { scene } = element as unknown as { scene: { layers: { buckets: number[][] }[] } };
    return scene.layers.map(({ buckets }) =>
      buckets.reduce((sum, [, , count]) => sum + (count ?? 0), 0),
    );
  });
}

test('every step of a histogram is drawn with the logged counts', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/histogram`);
  const first = cardOf(page, 'first');
  await expect(first).toContainText('3 steps');
  expect(await countsOf(first)).toEqual([1000, 1000, 1000]);
  // Tensors are shown as histograms, too.
  await expect(card(page, 'layer/kernel')).toHaveCount(2);
  await expect(card(page, 'layer/kernel').first()).toContainText('1 NaN');
  await expectAccessible(page);
});

test('the tooltip shows the exact bucket', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/histogram?mode=heat`);
  const chart = cardOf(page, 'first').locator('.histogram-chart');
  await chart.hover({ position: { x: 20, y: 100 } });
  await expect(chart.getByRole('status')).toContainText(/Step 0\d+ of 1,000 values\[.+, .+\)/);
  await chart.click({ position: { x: 20, y: 100 } });
  await expect(page).toHaveURL(/step=0/);
  await page.mouse.move(0, 0);
  await chart.focus();
  await page.keyboard.press('ArrowDown');
  await expect(chart.getByRole('status')).toContainText('Step 10');
});

test('steps are offset or overlaid, by step or by time', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/histogram?tags=weight`);
  const card = cardOf(page, 'first');
  await expect(card).toContainText('3 steps');
  const picture = card.locator('.histogram-chart canvas').first();
  await expect.poll(() => painted(picture)).toBeGreaterThan(500);
  const offset = await bytes(picture);
  await page.getByRole('radio', { name: 'Overlay' }).click();
  await expect(page).toHaveURL(/mode=overlay/);
  await expect.poll(() => bytes(picture)).not.toBe(offset);
  // Steps are ten apart; wall times are those of the log.
  const places = (): Promise<number[]> =>
    card.locator('.histogram-chart').evaluate((element) => {
      const { scene } = element as unknown as { scene: { layers: { x: number }[] } };
      return scene.layers.map(({ x }) => x);
    });
  expect(await places()).toEqual([0, 10, 20]);
  await page.getByRole('radio', { name: 'Relative' }).click();
  await expect.poll(async () => (await places())[0]).toBe(0);
  await expect.poll(async () => Math.max(...(await places()))).toBeLessThan(10);
  await page.getByRole('radio', { name: 'Wall' }).click();
  await expect.poll(async () => Math.min(...(await places()))).toBeGreaterThan(1_600_000_000);
});

test('buckets can be replaced by 30 bins of equal width', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/histogram?mode=heat&tags=weight`);
  const chart = cardOf(page, 'first').locator('.histogram-chart');
  await expect(chart).toBeVisible();
  await page.locator('select[name=bins]').selectOption('30 equal bins');
  await expect(page).toHaveURL(/bins=equal/);
  const [low, high] = await chart.evaluate(
    (element) => (element as unknown as { scene: { range: [number, number] } }).scene.range,
  );
  await chart.hover({ position: { x: 20, y: 100 } });
  const tip = await chart.getByRole('status').textContent();
  const [, from, to] = /\[(.+), (.+)\)/.exec(tip ?? '') ?? [];
  const number = (text = ''): number => Number(text.replace('−', '-'));
  expect(number(to) - number(from)).toBeCloseTo((high - low) / 30, 3);
});

test('tensors of strings have no histogram', async ({ page, mindviz }) => {
  written('written_strings', mindviz.logs);
  await page.goto(`${mindviz.url}#/histogram`);
  await expect(card(page, 'numbers')).toContainText('1 step');
  await expect(card(page, 'words')).toHaveCount(0);
  await page.goto(`${mindviz.url}#/tensor`);
  await expect(card(page, 'words')).toBeVisible();
});

test('long titles are cut in the middle', async ({ page, mindviz }) => {
  written('written_strings', mindviz.logs);
  await page.goto(`${mindviz.url}#/histogram`);
  const title = page.locator('h3', { hasText: 'running_mean' });
  await expect(title).toHaveAttribute('title', /^encoder\/.*\/running_mean$/);
  await expect(title.locator('.cut')).toHaveAttribute('data-end', /running_mean$/);
});

test('percentiles and the table agree', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/histogram?tags=weight`);
  await page.getByRole('radio', { name: 'Percentiles' }).click();
  await expect(cardOf(page, 'first').locator('.line-chart')).toBeVisible();
  const drawn = await cardOf(page, 'first')
    .locator('.line-chart')
    .evaluate((element) =>
      (element as unknown as { lines: { y: Float64Array }[] }).lines.map(({ y }) => [...y]),
    );
  expect(drawn).toHaveLength(9);
  for (const step of [0, 1, 2]) {
    const values = drawn.map((line) => line[step] ?? NaN);
    expect(values).toEqual([...values].sort((a, b) => a - b));
  }
  // A zoomed chart offers to reset the zoom.
  await cardOf(page, 'first').locator('.line-chart').press('+');
  await expect(page).toHaveURL(/zoom=/);
  await cardOf(page, 'first').getByTitle('Reset zoom').click();
  await expect(page).not.toHaveURL(/zoom=/);
  await expect(cardOf(page, 'first').getByTitle('Reset zoom')).toHaveCount(0);
  await cardOf(page, 'first').getByRole('button', { name: 'Table' }).click();
  const table = cardOf(page, 'first').getByRole('table');
  await expect(page).toHaveURL(/tables=layer%2Fweight@first|tables=layer\/weight@first/);
  await page.reload();
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(table.getByRole('row').nth(2)).toContainText('10');
  // The table has the drawn percentiles, and counts if they are not drawn.
  const medians = await table
    .getByRole('row')
    .evaluateAll((rows) =>
      rows
        .slice(1)
        .map((row) => Number(row.querySelectorAll('td')[5]?.textContent.replace('−', '-'))),
    );
  expect(medians).toHaveLength(3);
  medians.forEach((median, i) => {
    expect(median).toBeCloseTo(drawn[4]?.[i] ?? NaN, 2);
  });
  await page.getByRole('radio', { name: 'Overlay' }).check({ force: true });
  await expect(table.getByRole('row').nth(2)).toContainText('1,000');
  // Buckets are shown as logged, for the selected step if there is one.
  await cardOf(page, 'first').getByRole('radio', { name: 'All buckets' }).check({ force: true });
  await expect(page).toHaveURL(/rows=buckets/);
  await page.locator('input[name=step]').focus();
  await page.keyboard.press('Home');
  await expect(table.getByRole('row').nth(1).getByRole('cell').first()).toHaveText('0');
  const [count] = ((await table.getAttribute('aria-rowcount')) ?? '').split(' ').map(Number);
  expect(count).toBeGreaterThan(10);
  const cells = await table.getByRole('row').nth(1).getByRole('cell').allTextContents();
  expect(Number(cells[1])).toBeLessThan(Number(cells[2]));
});

test('a damaged step is counted and the others are drawn', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.route(/series\/histogram\?/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { buckets: unknown[]; problems: unknown[] };
    body.buckets[1] = null;
    body.problems = [{ row: 1, step: 10, detail: 'cut off' }];
    await route.fulfill({ response, json: body });
  });
  await page.goto(`${mindviz.url}#/histogram?tags=weight`);
  await expect(cardOf(page, 'second')).toContainText('1 corrupted value skipped');
  await expect(cardOf(page, 'second')).toContainText('2 steps');
});

test.describe('failing requests', () => {
  test.use({ failing: true });

  test('a failed answer is reported in its card and retried', async ({ page, mindviz }) => {
    writeKinds(mindviz.logs);
    let fails = true;
    await page.route(/series\/histogram\?/, (route) =>
      fails
        ? route.fulfill({ status: 400, json: { error_code: '50540002', error_msg: 'not now' } })
        : route.continue(),
    );
    await page.goto(`${mindviz.url}#/histogram?tags=weight`);
    await expect(cardOf(page, 'first').getByRole('alert')).toContainText('not now');
    fails = false;
    await cardOf(page, 'first').getByRole('button', { name: 'Try again' }).click();
    await expect(cardOf(page, 'first')).toContainText('3 steps');
  });
});
