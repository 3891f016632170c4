import { readFileSync } from 'node:fs';

import { expectAccessible, writeKinds } from './kinds';
import { expect, test, writeSweep } from './mindviz';
import { bytes, wordsDrawn } from './pictures';

test('sessions are grouped by equal hyperparameters and sorted by any column', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 6);
  await page.goto(`${mindviz.url}#/hparams`);
  await expect(page.getByText('6 groups of 6 runs')).toBeVisible();
  // Parameters that are equal everywhere are hidden by default.
  await expect(page.getByRole('columnheader', { name: 'dropout' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Constant parameters' }).click();
  await expect(page.getByRole('columnheader', { name: 'dropout' })).toBeVisible();
  await page.getByRole('columnheader', { name: 'accuracy' }).getByRole('button').click();
  await expect(page.getByRole('row').nth(1)).toContainText('adam/run_0');
  await expect(page).toHaveURL(/sort=-m/);
  await page.getByRole('row').nth(1).getByRole('button').click();
  await expect(page.locator('tr.session')).toContainText('Failed');
  await expectAccessible(page);
  // A second column breaks ties; the URL keeps open groups and sorting.
  await page.getByRole('columnheader', { name: 'optimizer' }).getByRole('button').click();
  await page
    .getByRole('columnheader', { name: 'lr', exact: true })
    .getByRole('button')
    .click({ modifiers: ['Shift'] });
  await page.reload();
  await expect(page.locator('tr.group th')).toContainText([
    'adam/run_4',
    'adam/run_2',
    'adam/run_0',
    'sgd/run_5',
    'sgd/run_3',
    'sgd/run_1',
  ]);
  await expect(page.locator('tr.session')).toHaveCount(1);
  // Parameters keep the digits the user wrote.
  await expect(page.locator('tr.group').first().getByRole('cell')).toHaveText([
    '0.5',
    '0.005',
    'adam',
    '0',
    '0.945',
  ]);
});

test('group metrics show mean, median, minimum or maximum', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 6, 3);
  await page.goto(`${mindviz.url}#/hparams`);
  await expect(page.getByText('2 groups of 6 runs')).toBeVisible();
  const first = page.locator('tr.group').filter({ hasText: 'setting 0' }).getByRole('cell').last();
  // Accuracies 0.949, 0.950, 0.951.
  for (const [statistic, value] of [
    ['avg', '0.95'],
    ['max', '0.951'],
    ['min', '0.949'],
    ['median', '0.95'],
  ] as const) {
    await page.locator('select[name=statistic]').selectOption(statistic);
    await expect(first, statistic).toHaveText(value);
  }
  await page.getByRole('button', { name: 'Runs of setting 0' }).click();
  await expect(page.locator('tr.session')).toHaveCount(3);
  // The download has the sessions of all groups, with all digits and the visible columns.
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const rows = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
    .map((row) => row.split(','));
  expect(rows[0]).toEqual(['group', 'run', 'status', 'lr', 'optimizer', 'seed', 'accuracy']);
  expect(rows.slice(1).map(([group, run, status]) => [group, run, status])).toEqual(
    expect.arrayContaining([
      ['setting 0', 'adam/run_0', 'failure'],
      ['setting 1', 'sgd/run_5', 'success'],
    ]),
  );
  expect(rows).toHaveLength(7);
  expect(Number(rows.find(([, run]) => run === 'adam/run_1')?.at(-1))).toBeCloseTo(0.95, 6);
});

test('a table that overflows has a shadow at its edge', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 2);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${mindviz.url}#/hparams`);
  const [before, beyond] = [page.locator('[data-edge=before]'), page.locator('[data-edge=beyond]')];
  await expect(beyond).toBeVisible();
  await expect(before).toHaveCount(0);
  expect(
    Math.round((await beyond.boundingBox().then((box) => box && box.x + box.width)) ?? 0),
  ).toBe(360);
  await page.locator('.scroller:has(tr.group)').evaluate((one) => {
    one.scrollLeft = one.scrollWidth;
  });
  await expect(beyond).toHaveCount(0);
  // Next to the pinned column.
  const name = await page.locator('thead .first').boundingBox();
  expect((await before.boundingBox())?.x).toBeCloseTo((name?.x ?? 0) + (name?.width ?? 0), 0);
});

test('groups are lines in parallel coordinates', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 6);
  await page.goto(`${mindviz.url}#/hparams?show=parallel`);
  await expect(page.getByRole('img', { name: /6 groups as lines over .*accuracy/ })).toBeVisible();
  // A brushed range filters the groups in the picture and the table; the URL keeps it.
  const chart = page.locator('.parallel canvas').first();
  await expect(chart).toBeVisible();
  await expect(page.locator('tr.group')).toHaveCount(6);
  const box = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + box.width - 80, box.y + 42);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 80, box.y + 42 + (box.height - 62) / 2, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/brush=m%2Faccuracy|brush=m\/accuracy/);
  await expect(page.getByRole('status').filter({ hasText: '3 of 6 groups' })).toBeVisible();
  await expect(page.locator('tr.group')).toHaveCount(3);
  await page.reload();
  await expect(page.locator('tr.group')).toHaveCount(3);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.locator('tr.group')).toHaveCount(6);
});

test('axes can be logarithmic or quantile, lines colored by an axis, all kept in the URL', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 12);
  const words = await wordsDrawn(page);
  await page.goto(`${mindviz.url}#/hparams?runs=*&show=parallel&brush=h/lr:0.0015..0.0055`);
  await expect(page.locator('tr.group')).toHaveCount(4);
  const picture = page.locator('.parallel canvas').first();
  const usual = await bytes(picture);
  // A range brushed on other axes would mean other values here.
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.locator('select[name=scale]').selectOption('log');
  await expect(page).toHaveURL(/scale=log/);
  await expect(page.locator('tr.group')).toHaveCount(12);
  // Learning rates are 0.001 to 0.012; ticks are powers of ten.
  await expect.poll(words).toEqual(expect.arrayContaining(['0.001', '0.01']));
  await page.locator('select[name=scale]').selectOption('quantile');
  await expect.poll(words).toContain('0.0032');
  await expect.poll(() => bytes(picture)).not.toBe(usual);
  const plain = await bytes(picture);
  await page.locator('select[name=tint]').selectOption({ label: 'Color by accuracy' });
  await expect(page).toHaveURL(/tint=m/);
  await expect.poll(() => bytes(picture)).not.toBe(plain);
  const tinted = await bytes(picture);
  await page.reload();
  await expect.poll(() => bytes(picture)).toBe(tinted);
  await expectAccessible(page);
});

test('runs without hyperparameters show what would appear', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/hparams`);
  await expect(page.locator('.empty')).toContainText('No hyperparameters');
});
