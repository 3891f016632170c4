import { renameSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { expectAccessible, writeDatasets } from './kinds';
import { expect, test, writeSweep } from './mindviz';
import { writeLog, type Point } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

test.use({ bypassCSP: true });

function points(values: readonly number[], from = 1_700_000_000): Point[] {
  return values.map((value, step) => ({ tag: 'loss', step, value, wall_time: from + step }));
}

const count = (page: Page, text: string): Promise<void> =>
  expect(page.getByText(text)).toBeVisible();

test('queries combine and, or, not, brackets, comparisons and regular expressions', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 12);
  await page.goto(`${mindviz.url}#/runs`);
  await count(page, '12 of 12 runs');
  const field = page.locator('input[name=runs]');
  // Learning rates are 0.001 to 0.012, adam's the odd ones.
  const questions: [string, number][] = [
    ['optimizer = sgd and lr > 0.008', 2],
    ['lr <= 0.002 or lr >= 0.011', 4],
    ['not optimizer = adam', 6],
    ['(optimizer = adam or lr = 0.012) and not lr < 0.005', 5],
    ['name ~ "run_1.$"', 2],
    ['name !~ adam and seed in (1, 3)', 6],
    ['train/loss/min < 0.06', 5],
    ['state = failed', 1],
    ['adam and not lr < 0.005', 4],
    ['"run_1" and (lr > 0.011 or run_10$)', 2],
  ];
  for (const [question, matching] of questions) {
    await field.fill(question);
    await expect(page.locator('.count'), question).toHaveText(`${matching} of 12 runs`);
  }
});

test('a query covers all runs, though log formats name fields differently', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 2);
  writeDatasets(mindviz.logs);
  await page.goto(`${mindviz.url}#/runs`);
  // TensorBoard's sessions have `lr`, MindSpore's lineage `learning_rate`.
  await page.locator('input[name=runs]').fill('lr < 1');
  await count(page, '5 of 5 runs');
});

test('scalars have columns for last, min, max, the value at a best step, and curves', async ({
  page,
  mindviz,
  requests,
}) => {
  const named = (tag: string, values: readonly number[]) =>
    points(values).map((point) => ({ ...point, tag }));
  writeLog(mindviz.file('a', NAME), [...points([4, 1, 2]), ...named('val/acc', [0.1, 0.2, 0.3])]);
  writeLog(mindviz.file('b', NAME), [...points([5, 6, 7]), ...named('val/acc', [0.9, 0.2, 0.3])]);
  await page.goto(`${mindviz.url}#/runs?cols=name`);
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const dialog = page.locator('dialog[open]');
  for (const statistic of ['last', 'min', 'max']) {
    await dialog.locator('select[name=statistic]').selectOption(statistic);
    await dialog.locator(`label[title="scalar/loss/${statistic}"] input`).check();
  }
  await dialog.locator('select[name=statistic]').selectOption('at best step of…');
  await expect(dialog.locator('select[name=best]')).toHaveValue('val/acc');
  await dialog.getByLabel('loss at max val/acc').check();
  await dialog.locator('select[name=statistic]').selectOption('sparkline');
  await dialog.locator('label[title="spark/loss"] input').check();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const cells = (run: string) => page.locator(`[data-job="./${run}"] .cell.number`);
  await expect(cells('a')).toHaveText(['2', '1', '4', '2', '2']);
  await expect(cells('b')).toHaveText(['7', '5', '7', '5', '7']);
  await expect(page.locator('.run .spark path[d^=M]')).toHaveCount(2);
  expect(requests.filter(({ pathname }) => pathname.endsWith('/scalars'))).toHaveLength(1);
  // A column with curves is sorted by the last value.
  await page.locator('[data-column="spark/loss"] .title').click();
  await expect(page.locator('[aria-rowindex="2"]')).toHaveAttribute('data-job', './a');
});

test('a silent run is shown as stalled, with the duration', async ({ page, mindviz }) => {
  const now = Math.floor(Date.now() / 1000);
  for (const [name, age] of [
    ['silent', 1_200],
    ['over', 90_000],
  ] as const) {
    // Written outside the base dir first: the server must never see it with a recent modification time.
    const written = mindviz.file('..', name);
    writeLog(join(written, NAME), points([1, 2], now - age));
    utimesSync(join(written, NAME), now - age, now - age);
    renameSync(written, mindviz.file(name));
  }
  await page.goto(`${mindviz.url}#/runs`);
  await expect(page.locator('[data-job="./silent"] [data-state]')).toHaveText(
    /^\s*no updates for (19|20|21) min$/,
  );
  await expect(page.locator('[data-job="./over"] [data-state]')).toHaveText('finished');
});

test('bulk actions apply to all selected runs', async ({ page, mindviz, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  writeSweep(mindviz.logs, 6);
  await page.goto(
    `${mindviz.url}#/runs?sort=name&cols=name~group~metric/accuracy&runs=adam/run_2~sgd/run_3`,
  );
  await count(page, '2 selected');
  await page.getByRole('button', { name: 'Edit 2 runs' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.locator('input[name=group]').fill('second try');
  await dialog.getByRole('button', { name: 'Save' }).click();
  for (const job of ['./adam/run_2', './sgd/run_3'])
    await expect(page.locator(`[data-job="${job}"]`)).toContainText('second try');
  await expect(page.locator('[data-job="./adam/run_0"]')).not.toContainText('second try');
  await page.locator('.bulk').getByRole('button', { name: /pin/i }).click();
  await expect(page.locator('.bulk').getByRole('button', { name: /pin/i })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(page.locator('[aria-rowindex="2"]')).toHaveAttribute('data-job', './adam/run_2');
  await expect(page.locator('[aria-rowindex="3"]')).toHaveAttribute('data-job', './sgd/run_3');
  await page.getByRole('button', { name: 'Copy names' }).click();
  await expect
    .poll(async () =>
      (await page.evaluate(() => navigator.clipboard.readText())).split('\n').sort(),
    )
    .toEqual(['adam/run_2', 'sgd/run_3']);
  await page.locator('.bulk').getByRole('button', { name: 'Compare' }).click();
  await expect(page).toHaveURL(/#\/compare\?.*runs=/);
});

test('a name has the room of the buttons until they appear, and an ellipsis where it is cut', async ({
  page,
  mindviz,
}) => {
  for (const run of ['alpha_', 'beta__'])
    writeLog(mindviz.file(run.repeat(20), NAME), points([1, 2]));
  await page.goto(`${mindviz.url}#/runs`);
  const line = page.locator('.run').first();
  const name = line.locator('.job-name');
  const width = async (): Promise<number> => (await name.boundingBox())?.width ?? NaN;
  const whole = await width();
  await line.hover();
  await expect.poll(width).toBeLessThan(whole - 60);
  await page.mouse.move(10, 10);
  await expect.poll(width).toBe(whole);
  const start = await name.evaluate((element) => {
    const { textOverflow, maskImage } = getComputedStyle(element, '::before');
    return { textOverflow, maskImage };
  });
  expect(start).toEqual({ textOverflow: 'ellipsis', maskImage: 'none' });
});

test('Shift selects a range of runs; a run keeps its color', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 8);
  await page.goto(`${mindviz.url}#/runs?sort=name&runs=adam/run_2`);
  const color = page.locator('[data-job="./adam/run_2"] .swatch rect');
  const before = (await color.getAttribute('fill')) ?? '';
  expect(before).toMatch(/^#/);
  await page.locator('[data-job="./adam/run_4"] input').click();
  await page.locator('[data-job="./sgd/run_3"] input').click({ modifiers: ['Shift'] });
  await count(page, '5 selected');
  await expect(color).toHaveAttribute('fill', before);
  await page.reload();
  await expect(color).toHaveAttribute('fill', before);
  const colors = await page
    .locator('.run .swatch rect[fill^="#"]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('fill')));
  expect(new Set(colors).size).toBe(5);

  // Also by a value, with its meaning above the table.
  await page.getByRole('button', { name: 'Color by' }).click();
  const field = page.locator('.toolbar select[name=color_by]');
  await field.focus();
  await field.selectOption('optimizer');
  await expect(page.getByRole('list', { name: 'optimizer' }).getByRole('listitem')).toHaveText([
    'adam',
    'sgd',
  ]);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect
    .poll(async () => {
      const fills = page.locator('.run .swatch rect[fill^="#"]');
      return new Set(await fills.evaluateAll((all) => all.map((one) => one.getAttribute('fill'))))
        .size;
    })
    .toBe(2);
  await page.keyboard.press('Control+z');
  await expect(color).toHaveAttribute('fill', before);
  await expect(page.getByRole('list', { name: 'optimizer' })).toHaveCount(0);
});
