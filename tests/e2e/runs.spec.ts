import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import type { Page } from '@playwright/test';

import { expect, row, test, writeSweep } from './mindviz';
import { points, scalarRecord, writeLog, type Point } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

const names = (page: Page): Promise<(string | null)[]> =>
  page
    .locator('.run')
    .evaluateAll((rows) =>
      rows
        .sort(
          (a, b) =>
            Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')),
        )
        .map((row) => row.getAttribute('data-job')),
    );

const columns = (page: Page): Promise<(string | null)[]> =>
  page
    .locator('[data-column]')
    .evaluateAll((heads) => heads.map((head) => head.getAttribute('data-column')));

const head = (page: Page, column: string) => page.locator(`[data-column="${column}"]`);

test('shows the data of each run, searched by regular expression and sorted by column', async ({
  page,
  mindviz,
  requests,
}) => {
  for (let i = 0; i < 30; i++)
    writeLog(mindviz.file(i % 2 ? 'adam' : 'sgd', `run_${i}`, NAME), [
      ...points('loss', i + 1),
      ...points('val/acc', 2, (step) => (i === 7 ? 0.9 : 0.1) + step),
      ...points('val/loss', 2, (step) => (i === 5 ? 0.1 : 0.9) + step),
    ]);
  await page.goto(`${mindviz.url}#/runs`);
  await expect(page.getByText('30 of 30 runs')).toBeVisible();
  const rows = page.locator('.run');
  // Without logged metrics, scalars are compared: one click sorts the best first.
  for (const [column, best] of [
    ['scalar/val/acc/max', 'run_7'],
    ['scalar/val/loss/min', 'run_5'],
  ] as const) {
    await head(page, column).locator('.title').click();
    await expect.poll(async () => (await names(page))[0]).toContain(best);
  }
  await page.locator('input[name=runs]').fill('^adam/run_[12].$');
  await expect(rows).toHaveCount(10);
  await expect(rows.filter({ hasText: 'adam/run_29' })).toContainText('tensorboard');
  await expect(page.getByText('10 of 30 runs')).toBeVisible();
  await head(page, 'points').locator('.title').click();
  await expect.poll(async () => (await names(page))[0]).toBe('./adam/run_29');
  await head(page, 'points').locator('.title').click();
  await expect.poll(async () => (await names(page))[0]).toBe('./adam/run_11');
  await expect(page).toHaveURL(/order=points/);
  await expect(head(page, 'points')).toHaveAttribute('aria-sort', 'ascending');
  await page.locator('input[name=runs]').fill('nobody');
  await expect(page.getByText('No runs match “nobody”')).toBeVisible();
  // Data requested before the first status answer is not requested again.
  const asked = (route: string): number =>
    requests.filter(({ pathname }) => pathname.endsWith(route)).length;
  requests.length = 0;
  await page.reload();
  await expect(page.getByText('0 of 30 runs')).toBeVisible();
  await expect.poll(() => asked('/status')).toBeGreaterThan(2);
  expect([asked('/train-job-columns'), asked('/lineage-columns')]).toEqual([1, 1]);
});

test('a query over hyperparameters filters runs on every page and has completion', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 12);
  await page.goto(`${mindviz.url}#/runs?runs=`);
  await expect(head(page, 'metric/accuracy')).toBeVisible();
  const field = page.locator('input[name=runs]');
  await field.fill('optim');
  const options = page.getByRole('listbox', { name: 'Filter runs' }).getByRole('option');
  await expect(options.first()).toHaveText('optimizer');
  await field.press('ArrowDown');
  await field.press('Enter');
  await expect(field).toHaveValue('optimizer ');
  await field.pressSequentially('= ');
  await expect(options).toHaveText(['adam', 'sgd']);
  await options.first().click();
  await field.pressSequentially('and lr <= 0.005');
  await expect(page.getByText('3 of 12 runs')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all matching' }).click();
  await page.goto(page.url().replace('#/runs', '#/scalar'));
  await page.reload();
  const panel = page.getByRole('complementary', { name: 'Runs' });
  await expect(panel).toContainText('3 of 12 selected');
  await expect(panel.locator('.job')).toHaveCount(3);
  await field.fill('accuracy/max > 0 and nobody = 3');
  await expect(panel.locator('.offer')).toContainText('Unknown field “nobody”');
  await field.fill('lr <');
  await expect(panel.locator('.offer')).toContainText('Expected a value (character 5)');
});

test('an incomplete query changes nothing, and unknown fields are reported', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 12);
  await page.goto(`${mindviz.url}#/runs`);
  await expect(head(page, 'metric/accuracy')).toBeVisible();
  const field = page.locator('input[name=runs]');
  const count = page.locator('.count');
  const missing = page.locator('.search [aria-live]');
  await field.fill('adam');
  await expect(count).toHaveText('6 of 12 runs');
  await expect(field).toHaveAttribute('aria-invalid', 'false');
  for (const typed of [' an', 'd', ' not (', 'lr', ' <']) {
    await field.pressSequentially(typed);
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(count).toHaveText('6 of 12 runs');
  }
  await expect(missing).toHaveText('Expected a value (character 19)');
  await expect(field).toHaveAccessibleDescription('Expected a value (character 19)');
  await field.pressSequentially(' 0.005');
  await expect(missing).toHaveText('Missing closing parenthesis (character 25)');
  await expect(count).toHaveText('6 of 12 runs');
  await field.pressSequentially(')');
  await expect(count).toHaveText('4 of 12 runs');
  await expect(missing).toHaveText('');
  await field.fill('adam and optim');
  await expect(missing).toHaveText(
    'No run name matches “optim”. To filter by a field, add an operator: = < > ~ in',
  );
  await expect(count).toHaveText('4 of 12 runs');
  await field.press('ArrowDown');
  await field.press('Enter');
  await expect(field).toHaveValue('adam and optimizer ');
});

test('runs are sorted by several columns and grouped with means and deviations', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 8);
  await page.goto(`${mindviz.url}#/runs?cols=name~optimizer~seed~metric/accuracy&runs=`);
  await expect(head(page, 'metric/accuracy')).toBeVisible();
  await page.locator('.run').first().waitFor();
  await head(page, 'optimizer').locator('.title').click();
  await head(page, 'metric/accuracy')
    .locator('.title')
    .click({ modifiers: ['Shift'] });
  await expect(page).toHaveURL(/order=optimizer~-metric/);
  await expect
    .poll(async () => names(page))
    .toEqual([0, 2, 4, 6, 1, 3, 5, 7].map((i) => `./${i % 2 ? 'sgd' : 'adam'}/run_${i}`));
  const run = (name: string) => page.locator(`[data-job="./${name}"]`);
  await run('adam/run_0').hover();
  await page.getByRole('button', { name: 'Set as baseline: adam/run_0' }).click();
  await expect(page).toHaveURL(/baseline=.*adam.*run_0/);
  // Accuracies are 0.949 and 0.848; only the optimizer and the seed differ.
  await expect(run('sgd/run_1').locator('.worse')).toHaveText('−0.1 (−11%)');
  await expect(run('sgd/run_1').locator('.changed')).toHaveText(['sgd', '1']);
  await expect(run('adam/run_0').locator('.changed, .worse')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(page.locator('.changed, .worse')).toHaveCount(0);
  await page.locator('select[name=group]').selectOption('optimizer');
  const adam = page.locator('.group', { hasText: 'adam' });
  // Accuracies 0.949, 0.947, 0.945, 0.943.
  await expect(adam).toContainText(/0\.946 ± 0\.003\s*\(n=4\)/);
  await expect(adam).toContainText('4 runs');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const csv = readFileSync(await download.path(), 'utf8').split('\r\n');
  expect(csv.slice(0, 3)).toEqual([
    'Group,Run,optimizer,seed,accuracy,accuracy std,accuracy n',
    expect.stringMatching(/^optimizer adam,,adam,,0\.94\d+,0\.0025\d+,4$/),
    'optimizer adam,adam/run_0,adam,0,0.949,,',
  ]);
  await adam.getByRole('button').click();
  await expect(page.locator('.run')).toHaveCount(4);
  await adam.getByRole('checkbox').check();
  await expect(page).toHaveURL(/runs=/);
  await expect(page.getByText('4 selected')).toBeVisible();
});

test('columns are selected, moved, pinned, resized and removed', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 4);
  await page.goto(
    `${mindviz.url}#/runs?cols=name~state~metric/accuracy~updated~created~formats~size~points`,
  );
  await expect(head(page, 'metric/accuracy')).toBeVisible();
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const dialog = page.locator('dialog[open]');
  const split = (labels: Element[]): number =>
    labels.filter((label) => label.getClientRects().length !== 1).length;
  expect(await dialog.locator('fieldset label').evaluateAll(split), 'split labels').toBe(0);
  await dialog.locator('input[name=column]').fill('learning rate');
  await expect(dialog.locator('fieldset label')).toHaveText(['lr']);
  await dialog.locator('input[name=column]').fill('train/loss');
  await dialog.locator('select[name=statistic]').selectOption('max');
  await dialog.locator('label[title="scalar/train/loss/max"] input').check();
  await page.keyboard.press('Escape');
  // The first of two points is twice the last.
  await expect(page.locator('[data-job="./adam/run_0"]')).toContainText(
    String((2 * (1 - 0.949)).toFixed(5)).slice(0, 5),
  );
  await head(page, 'scalar/train/loss/max').dragTo(head(page, 'state'));
  await expect
    .poll(async () => (await columns(page)).slice(0, 3))
    .toEqual(['name', 'scalar/train/loss/max', 'state']);
  await head(page, 'scalar/train/loss/max').hover();
  await head(page, 'scalar/train/loss/max').locator('.more').click();
  await page.getByRole('menuitem', { name: 'Pin column' }).click();
  await expect(page).toHaveURL(/pin=2/);
  await page.setViewportSize({ width: 920, height: 600 });
  const left = async (): Promise<number> =>
    (await head(page, 'scalar/train/loss/max').boundingBox())?.x ?? 0;
  const before = await left();
  await page.locator('.scroller').evaluate((element) => {
    element.scrollLeft = 400;
  });
  expect(await left()).toBe(before);
  await page.locator('.scroller').evaluate((element) => {
    element.scrollLeft = 0;
  });
  const grip = await head(page, 'name').locator('.grip').boundingBox();
  if (!grip) throw new Error('There is no grip.');
  await page.mouse.move(grip.x + 4, grip.y + 4);
  await page.mouse.down();
  await page.mouse.move(grip.x + 64, grip.y + 4, { steps: 4 });
  await page.mouse.up();
  await expect
    .poll(async () => (await head(page, 'name').boundingBox())?.width)
    .toBeCloseTo(320, -1);
  await head(page, 'state').hover();
  await head(page, 'state').locator('.more').click();
  await page.getByRole('menuitem', { name: 'Hide column' }).click();
  await expect(head(page, 'state')).toHaveCount(0);
  await page.reload();
  await expect
    .poll(async () => (await columns(page)).slice(0, 2))
    .toEqual(['name', 'scalar/train/loss/max']);
  await expect
    .poll(async () => (await head(page, 'name').boundingBox())?.width)
    .toBeCloseTo(320, -1);
});

test('annotations are saved: remarks, pins, colors, hidden runs', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 6);
  await page.goto(`${mindviz.url}#/runs?sort=name&runs=sgd/run_5`);
  const run = page.locator('[data-job="./sgd/run_5"]');
  await run.hover();
  await run.getByRole('button', { name: /Edit notes/ }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.locator('input[name=remark]').fill('<b>best</b> so far');
  await dialog.locator('input[name=colour]').fill('#123456');
  await dialog.locator('input[name=pinned]').check();
  const kept = page.waitForResponse((response) => response.request().method() === 'PUT');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await kept;
  await expect(run).toContainText('<b>best</b> so far');
  await expect.poll(async () => (await names(page))[0]).toBe('./sgd/run_5');
  await page.reload();
  await expect(run).toContainText('<b>best</b> so far');
  await expect(run.locator('.swatch rect')).toHaveAttribute('fill', '#123456');
  await expect.poll(async () => (await names(page))[0]).toBe('./sgd/run_5');
  await page.locator('input[name=runs]').fill('adam');
  await page.getByRole('button', { name: 'Only these 3' }).click();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.locator('input[name=runs]').fill('');
  await expect(page.getByText('3 of 6 runs')).toBeVisible();
  await page.locator('.bulk input[name=archived]').check();
  await expect(page.getByText('6 of 6 runs')).toBeVisible();
  await page.locator('input[name=runs]').fill('hidden = true');
  await expect(page.getByText('3 of 6 runs')).toBeVisible();
});

test('shows the state of runs, and works by keyboard alone', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 3);
  const wall_time = Date.now() / 1000;
  writeLog(
    mindviz.file('now', NAME),
    points('loss', 3).map((point) => ({ ...point, wall_time })),
  );
  writeLog(
    mindviz.file('silent', NAME),
    points('loss', 3).map((point) => ({ ...point, wall_time: wall_time - 25 * 60 })),
  );
  await page.goto(`${mindviz.url}#/runs?sort=name`);
  const silent = page.locator('[data-job="./silent"] [data-state] .ellipsis');
  await expect(silent).toHaveText(/^no updates for 2\d min$/);
  expect(await silent.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  await expect(page.locator('[data-job="./adam/run_0"] [data-state]')).toHaveText('failed');
  await expect(page.locator('[data-job="./sgd/run_1"] [data-state]')).toHaveText('finished');
  await expect(page.locator('[data-job="./now"] [data-state]')).toHaveText('running');
  // The panel also shows how runs ended on pages that don't load lineage.
  await page.goto(`${mindviz.url}#/health`);
  await expect(page.locator('.panel .list h2')).toHaveText(['Selected 5']);
  await page.goto(`${mindviz.url}#/runs?sort=name`);
  await expect(page.locator('.run')).toHaveCount(5);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(page.locator('.run.current')).toHaveAttribute('data-job', './adam/run_2');
  await page.keyboard.press('x');
  await expect(page.locator('[data-job="./adam/run_2"] input')).not.toBeChecked();
  await page.keyboard.press('p');
  await expect.poll(async () => (await names(page))[0]).toBe('./adam/run_2');
});

test('problems that lost no data are listed, but are no alarms', async ({ page, mindviz }) => {
  mkdirSync(mindviz.file('reserved'), { recursive: true });
  const whole = Buffer.concat(points('loss', 40).map(scalarRecord));
  writeFileSync(mindviz.file('reserved', NAME), Buffer.concat([whole, Buffer.alloc(4096)]));
  await page.goto(`${mindviz.url}#/runs`);
  await expect(page.locator('.run .problems')).toHaveText('Preallocated');
  await expect(page.locator('.run .problems .badge')).not.toHaveClass(/warning/);
  await expect(page.locator('.run .damaged')).toHaveCount(0);
  await page.goto(`${mindviz.url}#/scalar`);
  await expect(row(page, 'reserved').first()).toBeVisible();
  await expect(page.locator('.panel .badge.warning')).toHaveCount(0);
});

test('names problems in a log and their location', async ({ page, mindviz }) => {
  const whole = Buffer.concat(points('loss', 40).map(scalarRecord));
  mkdirSync(mindviz.file('broken'), { recursive: true });
  writeFileSync(mindviz.file('broken', NAME), whole.subarray(0, whole.length - 7));
  await page.goto(`${mindviz.url}#/runs`);
  await page.locator('.run .badge.warning').click();
  const dialog = page.locator('dialog[open]');
  await expect(dialog).toContainText('Truncated');
  await expect(dialog).toContainText(`broken/${NAME}`);
  await expect(dialog).toContainText(
    `at byte ${(whole.length - scalarRecord(points('loss', 40)[39] as Point).length).toLocaleString('en-US')}`,
  );
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('mounts only the visible ones of over a thousand rows', async ({ page, mindviz }) => {
  for (let i = 0; i < 1_200; i++) writeLog(mindviz.file(`run_${i}`, NAME), points('loss', 1));
  await page.goto(`${mindviz.url}#/runs?sort=name`);
  await expect(page.getByText('1,200 of 1,200 runs')).toBeVisible({ timeout: 20_000 });
  expect(await page.locator('.run').count()).toBeLessThan(60);
  await page.locator('.scroller').evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await expect(page.locator('[data-job="./run_1199"]')).toBeVisible();
});

test('clearing the filter does not select more, and opening a run selects nothing', async ({
  page,
  mindviz,
}) => {
  writeSweep(mindviz.logs, 12);
  await page.goto(`${mindviz.url}#/runs?filter=adam&runs=*`);
  await expect(page.getByText('6 selected')).toBeVisible();
  await page.locator('input[name=runs]').fill('');
  await expect(page.getByText('12 of 12 runs')).toBeVisible();
  await expect(page.getByText('6 selected')).toBeVisible();
  await page.locator('[data-job="./sgd/run_3"] .name a').click();
  await expect(page).toHaveURL(/job=.*sgd.*run_3/);
  const config = page.getByRole('dialog', { name: 'sgd/run_3' }).locator('article', {
    has: page.getByRole('heading', { name: 'Config' }),
  });
  await expect(config.locator('dt')).toHaveText(['optimizer', 'lr', 'dropout', 'seed', 'accuracy']);
  expect(new URLSearchParams(page.url().split('?')[1]).get('runs')).toBe('*:adam');
});

test('updates live, starting from an empty base dir', async ({ page, mindviz }) => {
  await page.goto(`${mindviz.url}#/runs`);
  await expect(page.locator('.empty')).toContainText(mindviz.logs);
  writeLog(mindviz.file('first', NAME), points('loss', 3));
  await expect(page.locator('[data-job="./first"]')).toBeVisible();
  writeLog(mindviz.file('second', NAME), points('loss', 3));
  await expect(page.locator('[data-job="./second"]')).toBeVisible();
});

test('fits into 360 px with a card per run', async ({ page, mindviz }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  writeSweep(mindviz.logs, 4);
  await page.goto(`${mindviz.url}#/runs?cols=name~metric/accuracy`);
  await expect(page.locator('[data-job="./sgd/run_1"]')).toContainText('0.848');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
