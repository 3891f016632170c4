import type { Page } from '@playwright/test';

import { test as testEverything } from './everything';
import { expectAccessible, writeKinds } from './kinds';
import { card, drawnLines, expect, row, test, writeSweep } from './mindviz';
import { appendLog, writeLog } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

const point = (step: number, value: number) => ({
  tag: 'loss',
  step,
  value,
  wall_time: 1_700_000_000 + step,
});

const drawer = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

test('a run opens in a drawer, without changing the selection', async ({
  page,
  mindviz,
  context,
}) => {
  writeSweep(mindviz.logs, 3);
  await page.goto(`${mindviz.url}#/runs?runs=sgd/run_1`);
  const link = page.locator('[data-job="./adam/run_0"] a');
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    link.click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await expect(drawer(tab, 'adam/run_0')).toBeVisible();
  await expect(tab).toHaveURL(/runs=sgd/);
  await tab.close();
  await expect(drawer(page, 'adam/run_0')).toHaveCount(0);
  await link.click();
  const opened = drawer(page, 'adam/run_0');
  await expect(opened).toBeVisible();
  await expect(page).toHaveURL(/runs=sgd(%2F|\/)run_1/);
  await expectAccessible(page);
  const facts = opened.locator('article', { hasText: 'Config' });
  await expect(facts).toContainText('optimizer');
  await expect(facts).toContainText('0.949');
  const scalars = opened.locator('article.scalar');
  await expect(scalars.locator('.spark', { hasText: 'train/loss' })).toContainText('0.051');
  await expect(scalars.getByRole('img', { name: /^train\/loss: 2 points/ })).toBeVisible();
  await expect(opened.locator('article.health')).toContainText('No issues found.');
  await expect(scalars.getByRole('link', { name: 'train/loss' })).toHaveAttribute(
    'href',
    /#\/scalar\?.*tags=%5Etrain%2Floss%24/,
  );
  // The link shows this run, too, until its page is left.
  await scalars.getByRole('link', { name: 'Open Scalars' }).click();
  await expect(card(page, 'train/loss')).toBeVisible();
  await expect(page.locator('.panel h2')).toHaveText([/^Shown by the link/, /^Selected/, /^Not/]);
  await expect(row(page, 'adam/run_0').locator('input')).not.toBeChecked();
  await expect(row(page, 'sgd/run_1').locator('input')).toBeChecked();
  await expect
    .poll(async () => (await drawnLines(page, 'train/loss')).map(({ id }) => id).sort())
    .toEqual(['./adam/run_0', './sgd/run_1']);
  await page.locator('.rail').getByRole('link', { name: 'Runs' }).click();
  await expect(page).not.toHaveURL(/show=/);
});

test('the drawer steps through the rows, fills the width, and closes', async ({
  page,
  mindviz,
}) => {
  for (const run of ['a', 'b', 'c']) writeLog(mindviz.file(run, NAME), [point(0, 1)]);
  await page.goto(`${mindviz.url}#/runs?sort=name`);
  await page.locator('[data-job="./a"] a').click();
  await expect(drawer(page, 'a')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Previous run' })).toBeDisabled();
  await page.keyboard.press('j');
  await expect(drawer(page, 'b')).toBeVisible();
  await page.getByRole('button', { name: 'Next run' }).click();
  await expect(drawer(page, 'c')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next run' })).toBeDisabled();
  await page.keyboard.press('k');
  await expect(drawer(page, 'b')).toBeVisible();
  await drawer(page, 'b').getByRole('button', { name: 'Full width' }).click();
  await expect(page).toHaveURL(/wide=1/);
  const [whole, main] = [
    await drawer(page, 'b').boundingBox(),
    await page.locator('main').boundingBox(),
  ];
  expect(whole?.width).toBe(main?.width);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator('[data-job="./b"] a')).toBeFocused();
  await page.goBack();
  await expect(drawer(page, 'b')).toBeVisible();
});

test('old links to the dashboard open the drawer, which updates live', async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('a', NAME), [point(0, 1)]);
  writeLog(mindviz.file('b', NAME), [point(0, 2)]);
  await page.goto(`${mindviz.url}#/dashboard?runs=b~a`);
  await expect(drawer(page, 'b')).toBeVisible();
  await page.goto('about:blank');
  await page.goto(`${mindviz.url}#/dashboard?job=./b&runs=a`);
  await expect(page).toHaveURL(/#\/runs\?/);
  const loss = drawer(page, 'b').locator('.spark', { hasText: 'loss' });
  await expect(loss).toContainText('2');
  appendLog(mindviz.file('b', NAME), [point(1, 7.5)]);
  await expect(loss).toContainText('7.5');
  await page.goto('about:blank');
  await page.goto(`${mindviz.url}#/dashboard`);
  await expect(page.locator('.run')).toHaveCount(2);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test("the drawer shows the run's health", async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), [point(0, 1), point(1, NaN), point(2, 1)]);
  writeLog(mindviz.file('b', NAME), [point(0, 1), point(1, 1)]);
  await page.goto(`${mindviz.url}#/runs`);
  // Two clicks explain why a run diverged.
  const badge = page.locator('.run').getByRole('link', { name: 'NaN', exact: true });
  await expect(badge).toHaveCount(1);
  await badge.click();
  const health = drawer(page, 'a').locator('article.health');
  await expect(health).toContainText('NaN');
  await expect(drawer(page, 'a').locator('article').first()).toHaveClass(/health/);
  await health.getByRole('link', { name: 'loss' }).click();
  await expect(card(page, 'loss')).toBeVisible();
});

test('shows that a log has no config', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), [point(0, 1)]);
  await page.goto(`${mindviz.url}#/runs?job=./a`);
  await expect(drawer(page, 'a')).toContainText('No hyperparameters or metrics logged.');
});

test('a histogram of equal values is visible in the middle', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.route(/series\/histogram\?/, async (route) => {
    const response = await route.fetch();
    const series = (await response.json()) as { buckets: unknown[] };
    await route.fulfill({
      response,
      json: { ...series, buckets: series.buckets.map(() => [[2, 2, 1000]]) },
    });
  });
  await page.goto(`${mindviz.url}#/runs?job=./first`);
  const picture = page.locator('article.histogram svg[role=img] path');
  await expect(picture).toBeVisible();
  expect(
    await picture.evaluate((path: SVGPathElement) => [path.getBBox().width, path.getBBox().height]),
  ).toEqual([100, 40]);
});

testEverything(
  'each card gives a glimpse of its kind, and a link to its page',
  async ({ page, everything }) => {
    const kind = (name: string) => page.locator(`article.${name}`);
    await page.goto(`${everything.url}#/runs?job=./kinds/first`);
    await expect(kind('tensor')).toContainText('2 × 3 × 4 float32 · step 20');
    await expect(kind('tensor').locator('header a')).toHaveAttribute('href', '#/tensor');
    await expect(kind('mesh')).toContainText('4 points · 4 faces');
    await expect(kind('mesh')).toContainText('1 tag');
    await expect(kind('embedding')).toContainText('60 points · 5 dimensions');
    await expect(kind('embedding').locator('circle')).toHaveCount(60);
    await expect(kind('pr_curve')).toContainText(
      /detector\s*· Average precision \(AP\) (?:0\.\d+|1)/,
    );
    await expect(kind('audio').getByRole('button', { name: 'Play speech' })).toBeVisible();
    await expect(kind('audio').locator('output')).toHaveText('0:00 / 0:01');
    await expect(kind('text').locator('strong')).toHaveText('bold');
    await expect(
      kind('histogram').getByRole('img', { name: /^layer\/weight at step 20/ }),
    ).toBeVisible();
    await page.goto(`${everything.url}#/runs?job=./layout/first`);
    await expect(kind('custom_scalars')).toContainText('TrainingLosses, Accuracy');
    await page.goto(`${everything.url}#/runs?job=./sweep/adam/run_0`);
    const config = page.getByRole('article').filter({ hasText: 'Config' });
    await expect(config.getByRole('definition').filter({ hasText: /^adam$/ })).toBeVisible();
    await expect(config.getByRole('definition').filter({ hasText: /^0\.001$/ })).toBeVisible();
    await expect(kind('hparams')).toHaveCount(0);
    await page.goto(`${everything.url}#/runs?job=./graphs/net`);
    await expect(kind('graph').locator('.text')).toContainText('(');
    await page.goto(`${everything.url}#/runs?job=./acme/run`);
    await expect(page.locator('article.acme header a')).toHaveAttribute('href', '#/other');
    await page.goto(`${everything.url}#/runs?job=./landscapes/first`);
    await expect(kind('loss_landscape')).toContainText(/Steps 1–9\s*· Loss 0 to 8/);
    await expect(kind('loss_landscape').locator('canvas')).toHaveAccessibleName(
      'landscapes/first: Steps 1–9, Loss 0 to 8',
    );
  },
);
