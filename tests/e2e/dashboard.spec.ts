import { test as testEverything } from './everything';
import { writeKinds } from './kinds';
import { card, expect, openPage, test, writeSweep } from './mindviz';
import { appendLog, writeLog } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

test('a run opened from the table shows its data and links to the pages', async ({
  page,
  mindviz,
  context,
}) => {
  writeSweep(mindviz.logs, 2);
  await page.goto(`${mindviz.url}#/runs`);
  const link = page.locator('[data-job="./adam/run_0"] a');
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    link.click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await expect(tab.getByRole('heading', { name: 'adam/run_0' })).toBeVisible();
  await tab.close();
  await expect(page).toHaveURL(/#\/runs/);
  await link.click();
  await expect(page).toHaveURL(
    /#\/dashboard\?.*runs=adam%2Frun_0|#\/dashboard\?.*runs=adam\/run_0/,
  );
  await expect(page.getByRole('heading', { name: 'adam/run_0' })).toBeVisible();
  const facts = page.locator('article', { hasText: 'How it was trained' });
  await expect(facts).toContainText('optimizer');
  await expect(facts).toContainText('0.949');
  const scalars = page.locator('article.scalar');
  await expect(scalars.locator('.spark', { hasText: 'train/loss' })).toContainText('0.051');
  await expect(scalars.getByRole('img', { name: /^train\/loss: 2 points/ })).toBeVisible();
  await scalars.getByRole('link', { name: 'Open Scalars' }).click();
  await expect(card(page, 'train/loss')).toBeVisible();
});

test('one of several selected runs is shown, kept in the URL and updated live', async ({
  page,
  mindviz,
}) => {
  const point = (step: number, value: number) => ({
    tag: 'loss',
    step,
    value,
    wall_time: 1_700_000_000 + step,
  });
  writeLog(mindviz.file('a', NAME), [point(0, 1)]);
  writeLog(mindviz.file('b', NAME), [point(0, 2)]);
  await page.goto(`${mindviz.url}#/dashboard?runs=a~b`);
  await page.getByRole('combobox', { name: 'Run', exact: true }).selectOption('./b');
  await expect(page).toHaveURL(/job=/);
  await page.reload();
  await expect(page.locator('.spark', { hasText: 'loss' })).toContainText('2');
  appendLog(mindviz.file('b', NAME), [point(1, 7.5)]);
  await expect(page.locator('.spark', { hasText: 'loss' })).toContainText('7.5');
  // A run named by a link is shown even if it is not selected, or if none is ...
  for (const runs of ['a', '']) {
    await page.goto('about:blank');
    await page.goto(`${mindviz.url}#/dashboard?job=./b&runs=${runs}`);
    await expect(page.locator('.spark', { hasText: 'loss' })).toContainText('7.5');
    await expect(page.getByText('Select a run')).toHaveCount(0);
  }
  // ... and opening another run replaces it.
  await openPage(page, 'Runs', 'runs');
  await page.locator('[data-job="./a"] a').click();
  await expect(page.locator('.spark', { hasText: 'loss' })).toContainText('1');
  await expect(page.locator('.toolbar h2')).toHaveText('a');
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
  await page.goto(`${mindviz.url}#/dashboard?job=./first`);
  const picture = page.locator('article.histogram svg[role=img] path');
  await expect(picture).toBeVisible();
  expect(
    await picture.evaluate((path: SVGPathElement) => [path.getBBox().width, path.getBBox().height]),
  ).toEqual([100, 40]);
});

test('shows what to do without selected runs, and that a log has no lineage', async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('a', NAME), [{ tag: 'loss', step: 0, value: 1, wall_time: 1_700_000_000 }]);
  await page.goto(`${mindviz.url}#/dashboard?runs=`);
  await expect(page.getByText('Select a run to see everything it has.')).toBeVisible();
  await page.locator('input[name=all]').check();
  await expect(page.getByText('Its log has no lineage')).toBeVisible();
});

testEverything(
  'each card gives a glimpse of its kind, with the icon of the page that it leads to',
  async ({ page, everything }) => {
    const kind = (name: string) => page.locator(`article.${name}`);
    await page.goto(`${everything.url}#/dashboard?runs=kinds/first`);
    await expect(kind('tensor')).toContainText('2 × 3 × 4 float32 · step 20');
    await expect(kind('tensor').getByRole('link')).toHaveAttribute(
      'href',
      '#/tensor?runs=kinds/first',
    );
    await expect(kind('mesh')).toContainText('4 points · 4 faces');
    await expect(kind('mesh')).toContainText('1 tag');
    await expect(kind('embedding')).toContainText('60 points · 5 dimensions');
    await expect(kind('embedding').locator('circle')).toHaveCount(60);
    await expect(kind('pr_curve')).toContainText(
      /detector · average precision 0\.\d+|detector · average precision 1/,
    );
    await expect(kind('audio').getByRole('button', { name: 'Play speech' })).toBeVisible();
    await expect(kind('audio').locator('output')).toHaveText('0s / 1s');
    await expect(kind('text').locator('strong')).toHaveText('bold');
    await expect(
      kind('histogram').getByRole('img', { name: /^layer\/weight at step 20/ }),
    ).toBeVisible();
    await page.goto(`${everything.url}#/dashboard?runs=layout/first`);
    await expect(kind('custom_scalars')).toContainText('TrainingLosses, Accuracy');
    await page.goto(`${everything.url}#/dashboard?runs=sweep/adam/run_0`);
    await expect(
      kind('hparams').locator('.row', { has: page.locator('.tag[title=optimizer]') }),
    ).toHaveText('optimizeradam');
    await expect(
      kind('hparams').locator('.row', { has: page.locator('.tag[title=lr]') }),
    ).toHaveText('lr0.001');
    await page.goto(`${everything.url}#/dashboard?runs=graphs/net`);
    await expect(kind('graph').locator('.text')).toContainText('(');
    await page.goto(`${everything.url}#/dashboard?runs=acme/run`);
    await expect(page.getByRole('link', { name: /^Open / }).last()).toHaveAttribute(
      'href',
      '#/other?runs=acme/run',
    );
    await page.goto(`${everything.url}#/dashboard?runs=landscapes/first`);
    await expect(kind('loss_landscape')).toContainText('steps 1 to 9 · loss 0 to 8');
    await expect(kind('loss_landscape').locator('canvas')).toHaveAccessibleName(
      'landscapes/first: steps 1 to 9, loss 0 to 8',
    );
  },
);
