import type { Locator } from '@playwright/test';

import {
  card,
  drawnLines,
  expect,
  expectLines,
  expectPoints,
  row,
  test,
  writeSweep,
} from './mindviz';
import { NAME, plotOf, saved } from './scalar_card';
import { appendLog, points, writeLog } from './tiny_writer';

/** Position of a chart's crosshair in pixels from the left of its plot; null if hidden. */
function crosshair(chart: Locator): Promise<number | null> {
  return chart.locator('.plot-crosshair').evaluate((element) => {
    const line = element.getBoundingClientRect();
    const plot = element.parentElement?.getBoundingClientRect();
    return line.height > 0 && plot ? line.left - plot.left : null;
  });
}

test('all charts share the zoom and the crosshair', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), [
    ...points('loss', 3_000, (step) => step),
    ...points('acc', 3_000, (step) => -step),
  ]);
  await page.goto(`${mindviz.url}#/scalar`);
  const box = await plotOf(card(page, 'loss'));
  await plotOf(card(page, 'acc'));
  await page.mouse.move(box.x + box.width / 4, box.y + 40);
  for (const tag of ['loss', 'acc'])
    await expect.poll(() => crosshair(card(page, tag))).toBeCloseTo(box.width / 4, -1);

  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 3, box.y + 60, { steps: 3 });
  await page.mouse.up();
  for (const tag of ['loss', 'acc']) {
    await expect(card(page, tag)).not.toContainText('Downsampled');
    const [line] = await drawnLines(page, tag);
    expect(line?.x[1]).toBeGreaterThan(700);
    expect(line?.x.at(-2)).toBeLessThan(1_100);
  }
  // The chip moves nothing.
  expect((await plotOf(card(page, 'loss'))).y).toBe(box.y);
  await page.locator('.zoomed').click();
  await expect(card(page, 'acc')).toContainText('Downsampled');
});

test('groups show the number of runs per step; seeds of a configuration form a group', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 6);
  writeLog(
    mindviz.file('long', NAME),
    points('train/loss', 9, () => 1),
  );
  await page.goto(`${mindviz.url}#/scalar?runs=*&group=*`);
  await expectLines(page, 'train/loss', 1);
  const box = await plotOf(card(page, 'train/loss'));
  const values = page.locator('.chart-tooltip tbody td:nth-child(3)');
  await page.mouse.move(box.x + 3, box.y + 40);
  await expect(values).toHaveText([/^[\d.]+ \(n=1\)$/]);
  await page.mouse.move(box.x + (box.width * 2) / 8, box.y + 40);
  await expect(values).toHaveText([/^[\d.]+ ± [\d.]+ \(n=7\)$/]);
  await page.mouse.move(box.x + box.width - 3, box.y + 40);
  await expect(values).toHaveText([/^[\d.]+ \(n=1\)$/]);

  await row(page, 'long').locator('input').uncheck();
  // Learning rates differ in all six; seeds are 0, 2, 0 with adam and 1, 3, 1 with sgd.
  await page.locator('select[name=group]').selectOption({ label: 'All except lr' });
  await expectLines(page, 'train/loss', 4);
  await expect(page).toHaveURL(/by=\*-/);
  await page.reload();
  await expectLines(page, 'train/loss', 4);
  expect((await drawnLines(page, 'train/loss')).map(({ id }) => id).sort()).toEqual([
    'optimizer adam, seed 0',
    'optimizer adam, seed 2',
    'optimizer sgd, seed 1',
    'optimizer sgd, seed 3',
  ]);
});

test('more than a hundred runs are drawn as a density, in which one can be highlighted', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 120);
  writeLog(mindviz.file('oldest', NAME), points('accuracy_1', 3));
  await page.goto(`${mindviz.url}#/scalar?runs=*`);
  const chart = card(page, 'train/loss');
  await expect(chart).toContainText('Density of 120 runs');
  await expect.poll(async () => (await drawnLines(page, 'train/loss')).length).toBe(120);
  const box = await plotOf(chart);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await expect(page.locator('.chart-tooltip')).toContainText('+115 more');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect(page.locator('.chart-tooltip tbody tr')).toHaveCount(120);
  // A tag of the oldest run alone.
  await page.goto('about:blank');
  await page.goto(`${mindviz.url}#/scalar?runs=*&charts=${encodeURIComponent('accuracy_1 * 2')}`);
  await expect
    .poll(async () => (await drawnLines(page, 'accuracy_1 * 2')).map(({ y }) => y))
    .toEqual([[0, 2, 4]]);
});

test('grouped runs are not requested one by one', async ({ page, mindviz, requests }) => {
  writeSweep(mindviz.logs, 60);
  await page.goto(`${mindviz.url}#/scalar?runs=*&group=optimizer`);
  await expectLines(page, 'train/loss', 2);
  const single = requests.filter(({ pathname }) => pathname.endsWith('/datavisual/scalars'));
  // Only the last values of the runs in the panel's view.
  expect(single.flatMap(({ searchParams }) => searchParams.getAll('train_id')).length).toBeLessThan(
    60,
  );
  // The settings are known before groups are requested: there are no others.
  expect(requests.filter(({ pathname }) => pathname.endsWith('/groups'))).toHaveLength(1);
  await page.locator('select[name=group]').selectOption('');
  await expect.poll(async () => (await drawnLines(page, 'train/loss')).length).toBe(60);
});

test('a mean marks where runs ended, not how far growing runs are', async ({ page, mindviz }) => {
  const grown = (run: string, count: number, start: number): void =>
    writeLog(
      mindviz.file(run, NAME),
      points('loss', count).map((point) => ({ ...point, wall_time: start + point.step })),
    );
  const now = Math.floor(Date.now() / 1000);
  grown('ahead', 10, now);
  grown('behind', 6, now);
  grown('ended', 4, 1_700_000_000);
  await page.goto(`${mindviz.url}#/scalar?runs=*&group=*`);
  await expect
    .poll(async () => (await drawnLines(page, 'loss')).map(({ marks }) => marks))
    .toEqual([[{ kind: 'fewer', x: 4 }]]);
});

test('a link to grouped runs loads their fields with the list of runs', async ({
  page,
  mindviz,
  requests,
}) => {
  writeSweep(mindviz.logs, 6);
  await page.goto(`${mindviz.url}#/scalar?runs=*&by=optimizer`);
  await expectLines(page, 'train/loss', 2);
  const routes = requests.map(({ pathname }) => pathname.split('/').at(-1) ?? '');
  // The page requests views when it is mounted.
  expect(routes.indexOf('lineage-columns')).toBeLessThan(routes.indexOf('views'));
  expect(routes.filter((route) => route === 'lineage-columns')).toHaveLength(1);
});

test('single values are bars, sorted and labeled', async ({ page, mindviz }) => {
  for (const [name, value] of [
    ['a', 2],
    ['b', -1],
    ['c', 3],
  ] as const)
    writeLog(
      mindviz.file(name, NAME),
      points('score', 1, () => value),
    );
  // It was evaluated twice; the first value is set aside.
  appendLog(
    mindviz.file('c', NAME),
    points('score', 1, () => 3),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  await expect(card(page, 'score')).toContainText('set aside');
  const bars = card(page, 'score').locator('.bars li');
  await expect(bars).toHaveText([/c\s*3/, /a\s*2/, /b\s*−1/]);
  const widths = await bars
    .locator('.bar')
    .evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width));
  expect((widths[0] ?? 0) / (widths[2] ?? 1)).toBeCloseTo(3, 0);
  await bars.first().hover();
  await expect(page.locator('.job.lit')).toContainText('c');
  const name = await bars.first().locator('.name').boundingBox();
  const bar = await bars.first().locator('.bar').boundingBox();
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(bar?.x ?? 0);
  // A second point makes it a curve.
  appendLog(
    mindviz.file('a', NAME),
    points('score', 1, () => 5, 1),
  );
  await expect(card(page, 'score').locator('.line-chart')).toBeVisible();
});

test('a legend can be shown, and is there in full screen', async ({ page, mindviz }) => {
  for (const name of ['a', 'b'])
    writeLog(
      mindviz.file(name, NAME),
      points('loss', 9, (step) => step),
    );
  await page.goto(`${mindviz.url}#/scalar`);
  const legend = card(page, 'loss').getByRole('list', { name: 'Legend' });
  await expect(card(page, 'loss').locator('.line-chart')).toBeVisible();
  await expect(legend).toHaveCount(0);
  await card(page, 'loss').getByRole('button', { name: 'Full screen' }).click();
  await expect(legend.getByRole('listitem')).toHaveText(['a', 'b']);
  // The tooltip is above the full screen, on the side without the pointer.
  const box = await plotOf(card(page, 'loss'));
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
  const place = await page.locator('.chart-tooltip').boundingBox();
  expect(place?.x).toBeGreaterThan(box.x + box.width / 2);
  await expect(card(page, 'loss').locator('.chart-tooltip')).toBeVisible();
  await page.mouse.move(box.x + box.width / 4, box.y - 20);
  await page.keyboard.press('Escape');
  await expect(legend).toHaveCount(0);
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.getByRole('button', { name: 'Legend' }).click();
  await page.reload();
  await expect(legend.getByRole('listitem')).toHaveText(['a', 'b']);
  // A click hides a run from all charts, another shows it again.
  const entry = legend.getByRole('button', { name: 'b' });
  const drawn = async (): Promise<string[]> =>
    (await drawnLines(page, 'loss')).map(({ id }) => id).sort();
  await entry.click();
  await expect.poll(drawn).toEqual(['./a']);
  await expect(entry).toHaveAttribute('aria-pressed', 'false');
  await entry.click();
  await expect.poll(drawn).toEqual(['./a', './b']);
});

test('a formula is computed over all points, not just the drawn ones', async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('a', NAME), [
    ...points('up', 20_000, (step) => (step === 13_331 ? 70 : step % 5)),
    ...points('down', 20_000, (step) => (step === 13_331 ? -30 : 0)),
  ]);
  writeLog(
    mindviz.file('b', NAME),
    points('up', 10, () => 1),
  );
  const formulas = encodeURIComponent('up - down, cummax(up) % 64');
  const tag = 'up - down, cummax(up) % 64';
  await page.goto(`${mindviz.url}#/scalar?charts=${formulas}`);
  await expect(card(page, tag)).toContainText('Downsampled');
  const whole = await drawnLines(page, tag);
  expect(Math.max(...(whole[0]?.bandHigh ?? []))).toBe(100);
  // A run that lacks a tag has no line for formulas that need it.
  expect(whole.map(({ id }) => id.split('\0')[0])).toEqual(['./a', './a', './b']);

  await page.goto(`${mindviz.url}#/scalar?charts=${formulas}&zoom=13300..13360`);
  await expect.poll(async () => (await drawnLines(page, tag))[0]?.x.length).toBe(63);
  const [difference, most] = await drawnLines(page, tag);
  expect(difference?.y[difference.x.indexOf(13_331)]).toBe(100);
  expect(most?.y.slice(1, -1)).toEqual(
    Array.from({ length: 61 }, (_, i) => (13_300 + i < 13_331 ? 4 : 6)),
  );
});

test.describe('while an answer fails', () => {
  test.use({ failing: true });

  test('a failed formula shows its error, other charts still work', async ({ page, mindviz }) => {
    writeLog(
      mindviz.file('a', NAME),
      points('loss', 10, (step) => step),
    );
    await page.route('**/scalars/formulas?*', (route) =>
      route.fulfill({
        status: 400,
        contentType: 'application/json',
        body: '{"error_code": "50542218", "error_msg": "It makes no sense."}',
      }),
    );
    await page.goto(`${mindviz.url}#/scalar?charts=${encodeURIComponent('loss * 2')}`);
    await expect(card(page, 'loss * 2')).toContainText('It makes no sense.');
    await expectPoints(card(page, 'loss'), 10);
    await page.unroute('**/scalars/formulas?*');
    await card(page, 'loss * 2').getByRole('button', { name: 'Try again' }).click();
    await expect.poll(async () => (await drawnLines(page, 'loss * 2'))[0]?.y.at(-1)).toBe(18);
  });
});

test('a chart fills the window until Esc', async ({ page, mindviz }) => {
  writeLog(
    mindviz.file('a', NAME),
    points('loss', 50, (step) => step),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  const before = await plotOf(card(page, 'loss'));
  await card(page, 'loss').getByRole('button', { name: 'Full screen' }).click();
  await expect.poll(async () => (await plotOf(card(page, 'loss'))).width).toBeGreaterThan(1_300);
  expect((await plotOf(card(page, 'loss'))).height).toBeGreaterThan(600);
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await plotOf(card(page, 'loss'))).width).toBe(before.width);
  await card(page, 'loss').getByRole('button', { name: 'Expand' }).click();
  await expect
    .poll(async () => (await plotOf(card(page, 'loss'))).width)
    .toBeGreaterThan(before.width * 1.5);
});

test('CSV downloads hold all points or the drawn points', async ({ page, mindviz }) => {
  writeLog(
    mindviz.file('a', NAME),
    points('loss', 6_000, (step) => step),
  );
  writeLog(
    mindviz.file('b', NAME),
    points('loss', 5, (step) => step),
  );
  await page.goto(`${mindviz.url}#/scalar?runs=a`);
  await expect(card(page, 'loss')).toContainText('Downsampled');
  const rows = async (name: string): Promise<number> =>
    (await saved(page, 'loss', name)).trim().split('\n').length - 1;
  // The second run is not selected and is excluded.
  expect(await rows('Download CSV (all points)')).toBe(6_000);
  expect(await rows('Download CSV (as plotted)')).toBeLessThan(1_100);
  // Formulas are computed over all points.
  await page.goto(`${mindviz.url}#/scalar?runs=a&charts=${encodeURIComponent('loss * 2')}`);
  const computed = (await saved(page, 'loss * 2', 'Download CSV (all points)'))
    .trim()
    .split('\r\n');
  expect([computed.length - 1, computed.at(-1)?.split(',').at(-1)]).toEqual([6_000, '11998.0']);
});

test('an incomplete regular expression is searched as plain text', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), [
    ...points('f(x)', 5, () => 1),
    ...points('loss', 5, () => 1),
    ...points('acc', 5, () => 1),
  ]);
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'loss').waitFor();
  await page.locator('input[name=tags]').fill('f(');
  await expect(page.locator('.card')).toHaveCount(1);
  await page.locator('input[name=tags]').fill('^(loss|a.c)$');
  await expect(page.locator('.card')).toHaveCount(2);
});

test('tags are grouped into sections by prefix; the URL keeps which are folded', async ({
  page,
  mindviz,
}) => {
  writeLog(
    mindviz.file('a', NAME),
    ['train/loss', 'train/acc', 'valid/loss', 'lr'].flatMap((tag) => points(tag, 5, () => 1)),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  const sections = page.locator('main button.fold');
  await expect(sections).toHaveText(['Ungrouped1 tag', 'train2 tags', 'valid1 tag']);
  await expect(page.locator('.card')).toHaveCount(4);
  await sections.nth(1).click();
  await expect(page.locator('.card')).toHaveCount(2);
  await expect(page).toHaveURL(/folded=.*train/);
  await page.reload();
  await expect(page.locator('.card')).toHaveCount(2);
  await expect(card(page, 'train/loss')).toHaveCount(0);
  await sections.nth(1).click();
  await expect(page.locator('.card')).toHaveCount(4);
});
