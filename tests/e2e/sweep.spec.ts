import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { expectAccessible, written } from './kinds';
import { expect, openPage, row, runsOf, test, writeSweep } from './mindviz';
import { bytes, wordsDrawn } from './pictures';

const rowsOf = (page: Page): Locator => page.locator('tbody tr[aria-rowindex]');
const head = (page: Page, name: string): Locator =>
  page.getByRole('columnheader', { name, exact: true }).getByRole('button');
const count = (page: Page, text: string): Locator =>
  page.getByRole('status').filter({ hasText: text });

/** Marks the upper half of the rightmost axis. */
async function brushLast(page: Page): Promise<void> {
  const box = await page.getByRole('img', { name: /^Parallel coordinates/ }).boundingBox();
  if (!box) throw new Error('The chart has no place.');
  await page.mouse.move(box.x + box.width - 80, box.y + 42);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 80, box.y + 42 + (box.height - 62) / 2, { steps: 5 });
  await page.mouse.up();
}

test('the page opens with what matters and what differs; columns are selected and sorted', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 6);
  await page.goto(mindviz.url);
  await openPage(page, 'Sweep', 'sweep');
  const panel = page.locator('section.importance');
  await expect(page.locator('select[name=target]')).toHaveValue('metric/accuracy');
  // Accuracy falls with the learning rate, and more with the optimizer; texts are ranked, too.
  await expect(panel.locator('li').first()).toContainText('optimizer');
  await expect(panel.locator('li').first().getByRole('img')).toHaveAttribute(
    'aria-label',
    /multiple rank correlation 0\.[89]/,
  );
  await expect(panel.locator(':scope > .hint')).toHaveText(
    'Ranked by rank correlation: a random forest needs at least 10 runs. ' +
      'Categories are one-hot encoded.',
  );
  await expect(panel.getByText('1 constant', { exact: true })).toBeVisible();
  await expect(panel.getByText('Based on only 6 runs')).toBeVisible();
  // One name per parameter, as logged; constant ones are hidden until requested.
  const names = page.getByRole('columnheader').locator('button > span');
  await expect(names).toHaveText(['Run', 'accuracy', 'lr', 'optimizer', 'seed']);
  await expect(page.getByRole('heading', { name: 'What differs' })).toBeVisible();
  await expect(page.getByText('3 of 4 parameters')).toBeVisible();
  await page.getByRole('button', { name: 'Constant parameters' }).click();
  await expect(page.getByRole('columnheader', { name: 'dropout' })).toBeVisible();
  await page.getByRole('button', { name: 'Constant parameters' }).click();
  // Parameters keep the digits that users wrote; how a run ended is beside its name.
  await expect(row(page, 'adam/run_4').getByRole('cell')).toHaveText([
    /adam\/run_4/,
    '0.945',
    '0.005',
    'adam',
    '0',
  ]);
  await expect(row(page, 'adam/run_0')).toContainText('Failed');
  await head(page, 'optimizer').click();
  await head(page, 'accuracy').click({ modifiers: ['Shift'] });
  const sorted = ['adam/run_0', 'adam/run_2', 'adam/run_4', 'sgd/run_1', 'sgd/run_3', 'sgd/run_5'];
  await expect.poll(() => runsOf(rowsOf(page))).toEqual(sorted);
  await expectAccessible(page);
  // A column's box and label stay side by side.
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Columns' });
  for (const label of await dialog.locator('li label').all()) {
    const [box, text] = [
      await label.locator('input').boundingBox(),
      await label.locator('span').boundingBox(),
    ];
    if (!box || !text) throw new Error('A column has no box.');
    expect(Math.abs(box.y + box.height / 2 - text.y - text.height / 2)).toBeLessThan(4);
    expect(text.x - box.x - box.width).toBeLessThan(16);
  }
  await dialog.getByRole('checkbox', { name: 'dropout' }).check();
  await dialog.getByRole('checkbox', { name: 'seed' }).uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(names).toHaveText(['Run', 'accuracy', 'lr', 'optimizer', 'dropout']);
  await expect.poll(() => runsOf(rowsOf(page))).toEqual(sorted);
  await expect(
    page.getByRole('img', { name: /^Parallel coordinates of 6 runs over .*dropout/ }),
  ).toBeVisible();
  await row(page, 'adam/run_2').locator('a').click();
  await expect(page.getByRole('dialog', { name: 'adam/run_2' })).toBeVisible();
});

test('marked ranges filter runs, are in the link and can become the selection', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 12);
  // A link to the former page of parameters.
  await page.goto(`${mindviz.url}#/lineage`);
  await expect(page).toHaveURL(/#\/sweep/);
  await expect(rowsOf(page)).toHaveCount(12);
  await brushLast(page);
  await expect(rowsOf(page)).toHaveCount(6);
  await expect(count(page, '6 of 12 runs')).toBeVisible();
  for (const run of await runsOf(rowsOf(page))) expect(run).toContain('adam');
  await expect(page.locator('section.importance').getByText('Based on only 6 runs')).toBeVisible();
  await expect(page).toHaveURL(/brush=/);
  await page.reload();
  await expect(rowsOf(page)).toHaveCount(6);
  // The distribution of the target, also as a table.
  const panel = page.locator('section.importance');
  await expect(
    panel.getByRole('img', { name: /^Distribution of accuracy: 6 runs from 0\.9/ }),
  ).toBeVisible();
  await panel.getByText('Table').click();
  const counts = await panel.locator('.counts td:last-child').allTextContents();
  expect(counts.reduce((sum, one) => sum + Number(one), 0)).toBe(6);
  await page.getByRole('button', { name: 'Select 6 runs' }).click();
  await expect(page).toHaveURL(/runs=/);
  await expect(count(page, '6 runs')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).not.toHaveURL(/brush=/);
  // Logs need not declare metrics: best values of series are targets, too.
  await page.locator('select[name=target]').selectOption({ label: 'train/loss min' });
  await expect(panel.getByRole('img', { name: /^Distribution of train\/loss min/ })).toBeVisible();
  await expect(page).toHaveURL(/target=scalar\/train\/loss\/min/);
  await expect(head(page, 'train/loss min')).toBeVisible();
  // A link whose ranges no run is in.
  await page.goto('about:blank');
  await page.goto(`${mindviz.url}#/sweep?scale=linear&brush=lr:5..6`);
  await expect(panel).toContainText('No runs match the selected ranges.');
});

test('groups are lines and rows with a statistic of their metrics, and a CSV of their runs', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 6, 3);
  // A link to the former page of session groups.
  await page.goto(`${mindviz.url}#/hparams?by=*-seed&sort=-m/accuracy&show=parallel`);
  await expect(page).toHaveURL(/#\/sweep/);
  await expect(count(page, '2 groups of 6 runs')).toBeVisible();
  await expect(
    page.getByRole('img', { name: /^Parallel coordinates of 2 groups of 6 runs/ }),
  ).toBeVisible();
  await expect(head(page, 'accuracy').locator('xpath=..')).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  const first = page.locator('tr.group').first();
  await expect(first).toContainText('adam');
  // Accuracies 0.949, 0.950, 0.951.
  for (const [statistic, value] of [
    ['avg', '0.95'],
    ['max', '0.951'],
    ['min', '0.949'],
    ['median', '0.95'],
  ] as const) {
    await page.locator('select[name=statistic]').selectOption(statistic);
    await expect(first.getByRole('cell').nth(1), statistic).toHaveText(value);
  }
  await first.getByRole('button', { name: /^Runs of/ }).click();
  await expect(page.locator('tr.session')).toHaveCount(3);
  await expect(page).toHaveURL(/open=/);
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines[0]).toBe('group,run,status,accuracy,lr,optimizer,seed');
  expect(lines).toHaveLength(7);
  const cells = lines.find((line) => line.includes('adam/run_1'))?.split(',') ?? [];
  expect(Number(cells.at(-4))).toBeCloseTo(0.95, 6);
  expect(lines.find((line) => line.includes('adam/run_0'))).toContain(',failure,');
  // Groups that the log names.
  await page.locator('select[name=group]').selectOption({ label: 'Session group' });
  await expect(page.locator('tr.group')).toHaveCount(2);
  await expect(page.locator('tr.group').first()).toContainText('setting 0');
});

test('lines are colored by a metric with a labeled bar; ticks and tooltips are values', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 12);
  const words = await wordsDrawn(page);
  await page.goto(`${mindviz.url}#/sweep?runs=*&scale=linear&brush=lr:0.0015..0.0055`);
  await expect(rowsOf(page)).toHaveCount(4);
  const chart = page
    .getByRole('img', { name: /^Parallel coordinates/ })
    .locator('canvas')
    .first();
  const bar = page.locator('.ramp-bar');
  await expect(bar).toContainText('accuracy');
  await expect(bar.locator('.labels span')).toHaveText(['0.838', '0.893', '0.949']);
  // A range marked on other axes would mean other values here.
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.locator('select[name=scale]').selectOption('log');
  await expect(page).toHaveURL(/scale=log/);
  await expect(rowsOf(page)).toHaveCount(12);
  // Learning rates are 0.001 to 0.012; ticks are powers of ten.
  await expect.poll(words).toEqual(expect.arrayContaining(['0.001', '0.01']));
  await page.locator('select[name=scale]').selectOption('quantile');
  await expect.poll(words).toContain('0.00375');
  const tinted = await bytes(chart);
  await page.locator('select[name=tint]').selectOption({ label: 'Run color' });
  await expect(page).toHaveURL(/tint=run/);
  await expect(bar).toHaveCount(0);
  await expect.poll(() => bytes(chart)).not.toBe(tinted);
  await page.locator('select[name=tint]').selectOption({ label: 'Color by lr' });
  await expect(bar).toContainText('lr');
  await page.keyboard.press('Escape');
  // A tooltip names the run and its values as logged.
  await page.goto(`${mindviz.url}#/sweep?runs=*&scale=log&tint=run&cols=lr~metric/accuracy`);
  await expect(rowsOf(page)).toHaveCount(12);
  const box = await chart.boundingBox();
  if (!box) throw new Error('The chart has no place.');
  // The line of the lowest learning rate and the best accuracy, a tenth of its way to the right.
  const share = 0.03 / 1.06 + 0.1 / 1.06;
  await page.mouse.move(
    box.x + 60 + 0.1 * (box.width - 140),
    box.y + 40 + (1 - share) * (box.height - 60),
    { steps: 3 },
  );
  await expect
    .poll(async () => (await words()).slice(-8))
    .toEqual(expect.arrayContaining(['adam/run_0', 'lr: 0.001', 'accuracy: 0.949']));
  // Hovering over a run in the table highlights its line.
  await page.mouse.move(600, 20);
  const usual = await bytes(chart);
  await rowsOf(page).nth(2).hover();
  await expect.poll(() => bytes(chart)).not.toBe(usual);
});

test('the scatter matrix plots metrics against parameters; a point names its run', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 6);
  await page.goto(`${mindviz.url}#/sweep`);
  await page.getByRole('button', { name: 'Scatter matrix' }).click();
  await expect(page).toHaveURL(/scatter=1/);
  const matrix = page.getByRole('img', {
    name: 'Scatter matrix of accuracy against lr, optimizer, seed, accuracy for 6 runs.',
  });
  await expect(matrix).toBeVisible();
  const box = await matrix.boundingBox();
  if (!box) throw new Error('The matrix has no place.');
  // The first learning rate has the best accuracy: a corner of the first cell.
  await page.mouse.move(box.x + 92 + 8, box.y + 12 + 8);
  const tip = matrix.getByRole('status');
  await expect(tip).toContainText('adam/run_0');
  await expect(tip).toContainText('lr: 0.001');
  await expect(tip).toContainText('accuracy: 0.949');
  await page.mouse.click(box.x + 92 + 8, box.y + 12 + 8);
  await expect(page.getByRole('dialog', { name: 'adam/run_0' })).toBeVisible();
  // Dragging in a cell marks the ranges of its axes, without opening a run.
  await page.goto(`${mindviz.url}#/sweep?scatter=1`);
  await expect(rowsOf(page)).toHaveCount(6);
  const again = await matrix.boundingBox();
  if (!again) throw new Error('The matrix has no place.');
  const [left, top] = [again.x + 92, again.y + 12];
  await page.mouse.move(left + 1, top + 1);
  await page.mouse.down();
  await page.mouse.move(left + 20, top + 30, { steps: 4 });
  await page.mouse.up();
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(page).toHaveURL(/brush=.*lr:.*accuracy:/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('answers about importance do not move what is below', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 6);
  let answer = (): void => undefined;
  const held = new Promise<void>((done) => (answer = done));
  await page.route('**/optimizer/targets/search', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${mindviz.url}#/sweep?scatter=1`);
  const matrix = page.getByRole('img', { name: /^Scatter matrix/ });
  await expect(page.locator('section.importance')).toContainText('Loading');
  const before = await matrix.boundingBox();
  answer();
  await expect(page.getByText('Categories are one-hot encoded.')).toBeVisible();
  expect(await matrix.boundingBox()).toEqual(before);
});

test('axes are dragged to other places, or moved with arrow keys', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 6);
  await page.goto(`${mindviz.url}#/sweep`);
  const axes = page.getByRole('button', { name: /^Move axis/ });
  const order = (): Promise<(string | null)[]> =>
    axes.evaluateAll((all) =>
      all
        .map((one) => [one.getBoundingClientRect().left, one.textContent?.trim() ?? ''] as const)
        .sort((a, b) => a[0] - b[0])
        .map(([, name]) => name),
    );
  await expect.poll(order).toEqual(['lr', 'optimizer', 'seed', 'accuracy']);
  const [from, to] = await Promise.all([axes.nth(0).boundingBox(), axes.nth(2).boundingBox()]);
  if (!from || !to) throw new Error('The axes have no place.');
  await axes.nth(0).hover();
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + 8, { steps: 6 });
  await page.mouse.up();
  await expect.poll(order).toEqual(['optimizer', 'seed', 'lr', 'accuracy']);
  await expect(page).toHaveURL(/axes=optimizer~.*seed~.*lr/);
  await page.getByRole('button', { name: 'Move axis seed' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(order).toEqual(['seed', 'optimizer', 'lr', 'accuracy']);
  await expect(page.getByRole('button', { name: 'Move axis seed' })).toBeFocused();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(order).toEqual(['lr', 'optimizer', 'seed', 'accuracy']);
});

test('axes have whole names where there is room', async ({ page, mindviz }) => {
  written('written_tasks', mindviz.logs);
  const isCut = (one: Element): boolean => one.scrollWidth > one.clientWidth;
  for (const [width, cut] of [
    [2560, false],
    [500, true],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('about:blank');
    const axes = ['lr', 'scalar/val/accuracy/max', 'optimizer', 'seed', 'scalar/train/loss/min'];
    await page.goto(`${mindviz.url}#/sweep?axes=${axes.join('~')}`);
    const axis = page.getByRole('button', { name: 'Move axis val/accuracy max' });
    const name = axis.getByText('val/accuracy max');
    await expect(name).toBeVisible();
    expect(await name.evaluate(isCut)).toBe(cut);
  }
});

test('a filter that nothing matches says so, and is cleared', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 6);
  await page.goto(`${mindviz.url}#/sweep?filter=nothing_like_it`);
  await expect(page.locator('.empty')).toContainText('No runs match “nothing_like_it”.');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(rowsOf(page)).toHaveCount(6);
});

test('groups have no axis for what differs within all of them', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 12, 3);
  await page.goto(`${mindviz.url}#/sweep?runs=*`);
  const axis = (name: string): Locator =>
    page.getByRole('button', { name: `Move axis ${name}`, exact: true });
  await expect(axis('seed')).toBeVisible();
  await page.goto(`${mindviz.url}#/sweep?runs=*&by=*-seed`);
  await expect(page.getByText('4 groups of 12 runs')).toBeVisible();
  await expect(axis('lr')).toBeVisible();
  await expect(axis('seed')).toHaveCount(0);
});

test('the confidence of an importance is drawn within its bar, also of categories', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 24);
  await page.goto(`${mindviz.url}#/sweep?runs=*`);
  for (const name of ['optimizer', 'lr']) {
    const parameter = page.locator('section.importance li', { hasText: name });
    await expect(parameter.getByRole('img')).toHaveAttribute(
      'aria-label',
      /share of variance .* \(.*–.*\) · (Spearman .* Pearson|multiple rank correlation)/,
      { timeout: 40_000 },
    );
    // Both numbers that the order follows.
    await expect(parameter.locator('.value')).toHaveText([/^[01]\.\d\d$/, /^−?[01]\.\d\d$/]);
    const track = await parameter.locator('.track').boundingBox();
    const interval = await parameter.locator('.interval').boundingBox();
    if (!track || !interval) throw new Error('The interval has no place.');
    expect(interval.x).toBeGreaterThanOrEqual(track.x);
    expect(interval.x + interval.width).toBeLessThanOrEqual(track.x + track.width + 0.5);
  }
  // The table prints whole.
  await page.emulateMedia({ media: 'print' });
  await expect(rowsOf(page)).toHaveCount(24);
  const bottomOf = async (part: Locator): Promise<number> => {
    const box = await part.boundingBox();
    return box ? box.y + box.height : NaN;
  };
  expect(await bottomOf(rowsOf(page).last())).toBeLessThanOrEqual(
    (await bottomOf(page.locator('section.table'))) + 1,
  );
});
