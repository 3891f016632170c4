import { appendFileSync } from 'node:fs';

import type { Locator } from '@playwright/test';

import { drawnLines, expect, row, test, type Mindviz } from './mindviz';
import { points, writeLog, type Point } from './tiny_writer';

const BOTH = 'view=parity&runs=a~b';
const LOG = 'events.out.tfevents.1.h';

const write = (mindviz: Mindviz, run: string, ...series: readonly Point[][]): void => {
  writeLog(mindviz.file(run, LOG), series.flat());
};

test('the first difference of two runs is a link to its place in the chart', async ({
  page,
  mindviz,
}) => {
  const same = points('same', 10);
  const mine = points('mine', 10);
  write(mindviz, 'a', points('loss', 1000), same, mine);
  const changed = (step: number): number => (step < 500 ? step : step + 0.5);
  write(mindviz, 'b', points('loss', 990, changed), same);
  await page.goto(`${mindviz.url}#/compare?runs=a~b`);
  await page.getByText('Parity', { exact: true }).click();
  await expect(page).toHaveURL(/view=parity/);
  await expect(page.locator('.verdict')).toContainText('1 of 3 tags differ · 1 only in A');
  const loss = page.locator('tr:has(> th[title="loss"])');
  await expect(loss).toContainText('Different');
  await expect(loss).toContainText('490 / 990');
  await expect(loss).toContainText('10 (990–999)');
  await expect(page.locator('tr:has(> th[title="same"])')).toContainText('Equal');
  await expect(page.locator('tbody tr > th')).toHaveText(['loss', 'mine', 'same']);
  // Paper has no toolbar that names the runs.
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.verdict')).toContainText('Run A: a · Run B: b');
  await page.emulateMedia({ media: 'screen' });
  await loss.getByRole('link', { name: '500' }).click();
  await expect(page).toHaveURL(/scalar\?.*zoom=475\.\.525/);
  await expect
    .poll(async () => (await drawnLines(page, 'loss')).map(({ id }) => id).sort())
    .toEqual(['./a', './b']);
});

test('tolerances, rules and the order of the runs are in the link', async ({ page, mindviz }) => {
  write(mindviz, 'a', points('train/loss', 2));
  write(
    mindviz,
    'b',
    points('loss', 2, (step) => step * 1.001),
  );
  await page.goto(`${mindviz.url}#/compare?${BOTH}`);
  const summary = page.locator('.verdict strong');
  await expect(summary).toHaveText('0 of 2 tags differ · 1 only in A · 1 only in B');
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.locator('textarea[name=rules]').fill('train/* = *');
  await page.locator('input[name=rtol]').fill('many');
  await page.keyboard.press('Enter');
  await expect(summary).toHaveText('1 of 1 tags differ');
  await expect(page).not.toHaveURL(/rtol/);
  await page.locator('input[name=rtol]').fill('1e-2');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/rtol=1e-2/);
  await page.keyboard.press('Escape');
  await expect(summary).toHaveText('Equal within the tolerance.');
  await page.reload();
  await expect(summary).toHaveText('Equal within the tolerance.');
  // The rules are for run A.
  await page.getByRole('button', { name: 'Swap runs A and B' }).click();
  await expect(page.locator('select[name=parity-a]')).toHaveValue('./b');
  await expect(summary).toContainText('1 only in A');
  await expect(page.getByText('These rules match nothing')).toHaveCount(0);
});

test.describe('with a request that fails', () => {
  test.use({ failing: true });

  test('a wrong rule is explained', async ({ page, mindviz }) => {
    for (const run of ['a', 'b']) write(mindviz, run, points('loss', 1));
    await page.goto(`${mindviz.url}#/compare?${BOTH}&rules=loss`);
    const alert = page.getByRole('alert');
    await expect(alert).toContainText("Rule 1, 'loss': write it as name = new name");
    await page.getByRole('button', { name: 'Switch to Chinese (中文)' }).click();
    await expect(alert).toContainText("第 1 条规则 'loss'：");
  });
});

test('identical, damaged and too few runs have their notes', async ({ page, mindviz }) => {
  for (const run of ['a', 'b']) write(mindviz, run, points('loss', 1));
  await page.goto(`${mindviz.url}#/compare?${BOTH}`);
  await expect(page.locator('.verdict strong')).toHaveText(
    'Equal: all series and the config are identical.',
  );
  appendFileSync(mindviz.file('b', LOG), 'x'.repeat(100));
  await expect(page.getByText('Run B is damaged')).toBeVisible();
  await row(page, 'b').locator('input').uncheck();
  await expect(page.locator('.empty')).toContainText('Select at least two runs');
});

test('the selects name runs by what differs, and the rest is above them', async ({
  page,
  mindviz,
}) => {
  const names = ['adam_lr0.1_seed0', 'sgd_lr0.1_seed0'].map(
    (end) => `cifar100_resnet50_imagenet_pretrained_${end}_batch256`,
  );
  for (const name of names) write(mindviz, name, points('loss', 1));
  await page.goto(`${mindviz.url}#/compare?view=parity&runs=${names.join('~')}`);
  const selected = page.locator('select[name^=parity] option:checked');
  await expect.poll(async () => (await selected.allTextContents()).sort()).toEqual(['adam', 'sgd']);
  await expect(page.locator('.pair .heading')).toHaveText(
    'cifar100_resnet50_imagenet_pretrained_…_lr0.1_seed0_batch256',
  );
  const select = page.locator('select[name=parity-a]');
  await expect(select).toHaveAttribute('title', /^cifar100_/);
  const centerOf = (one: Locator): Promise<number> =>
    one.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return (top + bottom) / 2;
    });
  const settings = page.getByRole('button', { name: 'More settings' });
  expect(await centerOf(settings)).toBeCloseTo(await centerOf(select), 0);
});

test('long tags are cut in the middle, and their ends are shown', async ({ page, mindviz }) => {
  const tags = ['weight', 'bias'].map((end) => `${'encoder/layer/attention/'.repeat(8)}${end}`);
  for (const run of ['a', 'b']) write(mindviz, run, ...tags.map((tag) => points(tag, 1)));
  await page.goto(`${mindviz.url}#/compare?${BOTH}`);
  const names = page.locator('tbody th .cut');
  await expect(names).toHaveCount(2);
  const ends = await names.evaluateAll((all) => all.map((one) => one.getAttribute('data-end')));
  expect(ends.map((end) => end?.split('/').at(-1)).sort()).toEqual(['bias', 'weight']);
});

test('tags after the first 1,000 are shown on request', async ({ page, mindviz }) => {
  test.slow();
  const tags = Array.from({ length: 1001 }, (_, i) => points(`tag${i}`, 1));
  for (const run of ['a', 'b']) write(mindviz, run, ...tags);
  await page.goto(`${mindviz.url}#/compare?${BOTH}`);
  const part = page.getByText('Showing the first 1,000 of 1,001 tags.');
  await expect(part).toBeVisible({ timeout: 40_000 });
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(page.locator('table[aria-rowcount="1002"]')).toBeVisible({ timeout: 40_000 });
  await expect(part).toHaveCount(0);
});
