import { execFileSync } from 'node:child_process';

import type { Page } from '@playwright/test';

import { card, drawnLines, expect, openPage, python, ROOT, row, test, writeSweep } from './mindviz';
import { points, writeLog } from './tiny_writer';

/** Positive values, for logarithmic axes. */
const next = (step: number): number => step + 1;
const NAME = 'events.out.tfevents.1700000000.host';

test('a query selects the same runs on every page and in every URL', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 6);
  await page.goto(`${mindviz.url}#/scalar?filter=${encodeURIComponent('optimizer = adam')}&runs=*`);
  await expect(page.getByRole('complementary', { name: 'Runs' })).toContainText('3 of 6 selected');
  for (const [place, name] of [
    ['Charts', 'compare'],
    ['Sweep', 'sweep'],
    ['Runs', 'runs'],
    ['Health', 'health'],
  ] as const) {
    await openPage(page, place, name);
    await expect(page).toHaveURL(new RegExp(`#/${name}\\?`));
    const query = new URLSearchParams(page.url().split('?')[1]);
    expect([query.get('filter'), query.get('runs')], name).toEqual(['optimizer = adam', '*']);
    const panel = page.getByRole('complementary', { name: 'Runs' });
    if (!['runs', 'sweep'].includes(name))
      await expect(panel, name).toContainText('3 of 6 selected');
    else
      await expect(page.getByText(name === 'runs' ? '3 selected' : 'Select 3 runs')).toBeVisible();
  }
});

test('old links keep their meaning, newer ones show a warning', async ({ page, mindviz }) => {
  for (const run of ['a', 'b~c'])
    writeLog(mindviz.file(run, NAME), [
      ...points('train/loss', 60, next),
      ...points('acc', 60, next),
    ]);
  const old =
    '#/scalar?runs=a~b%257Ec&tags=loss&x=relative&smooth=0.6&log=y&zoom=10..40&pins=acc&folded=%5B%22acc%22%5D';
  await page.goto(mindviz.url + old);
  await expect(page.locator('.job input:checked')).toHaveCount(2);
  await expect(page.getByRole('radio', { name: 'Relative' })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Log y' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('heading', { name: 'Pinned' })).toBeVisible();
  await expect
    .poll(async () =>
      (await drawnLines(page, 'train/loss')).map(({ x, raw }) => [x[1], x.at(-2), raw !== null]),
    )
    .toEqual([
      [10, 40, true],
      [10, 40, true],
    ]);
  await expect(page.getByText('newer version of mindviz')).toHaveCount(0);

  await page.goto(`${mindviz.url}#/scalar?v=2&tags=acc&unheard=of`);
  await expect(
    page.getByText('This link was created with a newer version of mindviz'),
  ).toBeVisible();
  await expect(card(page, 'acc').locator('.line-chart')).toBeVisible();
  await expect(card(page, 'train/loss')).toHaveCount(0);

  // Names of other tools, and misspelled ones.
  await page.goto(`${mindviz.url}#/scalars?tags=acc`);
  await expect(page).toHaveURL(/#\/scalar\?.*tags=acc/);
  await expect(card(page, 'acc')).toBeVisible();
  await page.goto(`${mindviz.url}#/scalrs`);
  const note = page.getByText('There is no page “scalrs”.');
  await expect(note).toBeVisible();
  await expect(page).toHaveURL(/#\/runs/);
  await openPage(page, 'Charts', 'scalar');
  await expect(note).toHaveCount(0);
});

test("a comparison's link keeps zoom and table mode, and loads all points of the zoom", async ({
  page,
  mindviz,
}) => {
  for (const run of ['a', 'b'])
    writeLog(mindviz.file(run, NAME), [...points('loss', 5_000, next), ...points('acc', 60, next)]);
  const drawn = async (): Promise<unknown> =>
    (await drawnLines(page, 'loss')).map(
      ({ x }) => x.filter((step) => step >= 1_000 && step <= 1_100).length,
    );
  await page.goto(`${mindviz.url}#/scalar?zoom=1000..1100`);
  await expect.poll(drawn).toEqual([101, 101]);
  // Another page with its own part of the state.
  await page.goto(`${mindviz.url}#/custom_scalars`);
  await openPage(page, 'Charts', 'scalar');
  await page.getByRole('link', { name: 'Compare' }).click();
  // Until then, charts and menus are those of the page before.
  await expect(page).toHaveURL(/#\/compare\?/);
  await expect.poll(drawn).toEqual([101, 101]);
  await card(page, 'acc')
    .getByRole('button', { name: /^Chart menu/ })
    .click();
  await page.getByRole('button', { name: 'View as table' }).click();
  await expect(page).toHaveURL(/#\/compare\?.*zoom=1000\.\.1100/);
  await expect(page).toHaveURL(/tables=acc/);
  const link = page.url();
  await page.goto('about:blank');
  await page.goto(link);
  await expect.poll(drawn).toEqual([101, 101]);
  await expect(card(page, 'acc').getByRole('table')).toBeVisible();
});

test('the URL keeps the card in full screen, and Back leaves it', async ({ page, mindviz }) => {
  writeLog(
    mindviz.file('a', NAME),
    Array.from({ length: 60 }, (_, i) => points(`tag_${i}`, 3, next)).flat(),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  const full = page.locator('.card.full');
  await card(page, 'tag_0').getByRole('button', { name: 'Full screen: tag_0' }).click();
  await expect(full).toHaveAttribute('aria-label', 'tag_0');
  await expect(page).toHaveURL(/full=tag_0$/);
  await page.goBack();
  await expect(full).toHaveCount(0);
  await page.goForward();
  await expect(full).toHaveAttribute('aria-label', 'tag_0');
  await page.keyboard.press('Escape');
  await expect(full).toHaveCount(0);
  await expect(page).not.toHaveURL(/full=/);
  await page.goto('about:blank');
  await page.goto(`${mindviz.url}#/scalar?full=tag_57`);
  await expect(full).toHaveAttribute('aria-label', 'tag_57');
  expect(await full.boundingBox()).toEqual({ x: 0, y: 0, ...page.viewportSize() });
  // It belongs to this page; others lack it.
  await page.goto(`${mindviz.url}#/runs`);
  await expect(page.locator('.run')).toHaveCount(1);
  await expect(page).not.toHaveURL(/full=/);
});

test('the URL of a default view is short', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', NAME), points('loss', 5, next));
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'loss').waitFor();
  expect(page.url()).toBe(`${mindviz.url.replace(/\/$/, '')}/#/scalar`);
});

test('a copied link shows the same runs in the same colors after newer runs, in another browser', async ({
  page,
  context,
  browser,
  mindviz,
}) => {
  const shown = (on: Page): Promise<(string | null)[][]> =>
    on
      .locator('.job:has(input:checked)')
      .evaluateAll((rows) =>
        rows.map((row) => [
          row.querySelector('.job-name')?.textContent ?? null,
          row.querySelector('.swatch rect')?.getAttribute('fill') ?? null,
        ]),
      );
  for (const name of ['a', 'b']) writeLog(mindviz.file(name, NAME), points('loss', 5, next));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${mindviz.url}#/scalar`);
  await expect(page.locator('.job input:checked')).toHaveCount(2);
  const before = await shown(page);
  await page.getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  writeLog(mindviz.file('c', NAME), points('loss', 5, next));
  await expect(page.locator('.job input:checked')).toHaveCount(3);
  const other = await browser.newContext();
  const opened = await other.newPage();
  await opened.goto(link);
  await expect(opened.locator('.job')).toHaveCount(3);
  expect(await shown(opened)).toEqual(before);
  await other.close();
});

test('a view is copied as the command that answers what it shows', async ({
  page,
  context,
  mindviz,
}) => {
  for (const run of ['a', "b's"]) writeLog(mindviz.file(run, NAME), points('loss', 5, next));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  const server = `mindviz ask ${mindviz.url.replace(/\?.*/, '')}`;
  await page.goto(`${mindviz.url}#/scalar?runs=a&tags=%5Eloss%24`);
  await card(page, 'loss').waitFor();
  await page.getByRole('button', { name: 'Copy as command' }).click();
  await expect.poll(copied).toBe(`${server} series a loss`);
  const answer = execFileSync(python(), ['-m', ...(await copied()).split(' ')], {
    cwd: ROOT,
    encoding: 'utf-8',
  });
  expect(answer).toContain('points: 5\n');
  // The answer leads back to the page.
  const link = /page: (\S+)/.exec(answer)?.[1] ?? '';
  expect(link).toBe(page.url());

  await page.goto(`${mindviz.url}#/runs?filter=${encodeURIComponent('points > 2')}`);
  await page.getByRole('row', { name: /b's/ }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('copy as command');
  await page.keyboard.press('Enter');
  await expect.poll(copied).toBe(`${server} find 'points > 2'`);
});

test.describe('without an answer', () => {
  test.use({ failing: true });

  test('the copied command asks for what the link shows', async ({ page, context, mindviz }) => {
    writeLog(mindviz.file('a', NAME), points('loss', 5, next));
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${mindviz.url}#/runs?filter=${encodeURIComponent('points > 2')}`);
    await page.route('**/ask/question*', (route) => route.abort());
    await page.getByRole('button', { name: 'Copy as command' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`mindviz ask '${page.url()}&runs=a'`);
  });
});

test('a link is copied by button, by command, and without the clipboard API', async ({
  page,
  context,
  mindviz,
}) => {
  writeLog(mindviz.file('a', NAME), points('loss', 5, next));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${mindviz.url}#/scalar?log=y`);
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect.poll(copied).toBe(`${page.url()}&runs=a`);
  await page.getByRole('button', { name: 'Log x' }).click();
  await expect(page).toHaveURL(/log=xy/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('copy link');
  await page.keyboard.press('Enter');
  await expect.poll(copied).toBe(`${page.url()}&runs=a`);

  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  });
  await page.getByRole('button', { name: 'Log x' }).click();
  await expect(page).toHaveURL(/log=y/);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.evaluate(() => {
    delete (navigator as { clipboard?: unknown }).clipboard;
  });
  await expect.poll(copied).toBe(`${page.url()}&runs=a`);
});

test('a change while Back loads a page does not cut Forward', async ({ page, mindviz }) => {
  for (const run of ['a', 'b']) writeLog(mindviz.file(run, NAME), points('loss', 3));
  const heading = page.locator('h1');
  await page.goto(`${mindviz.url}#/image`);
  await expect(heading).toHaveText('Images');
  await page.evaluate(() => (location.hash = '#/histogram'));
  await expect(heading).toHaveText('Histograms');
  // Forgets the code of the pages.
  await page.reload();
  await expect(heading).toHaveText('Histograms');
  let load = (): void => undefined;
  const held = new Promise<void>((done) => (load = done));
  await page.route(/ImagePage/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goBack();
  await row(page, 'a').locator('input').uncheck();
  load();
  await expect(heading).toHaveText('Images');
  await expect(page).toHaveURL(/#\/image\?.*runs=/);
  await expect(row(page, 'a').locator('input')).not.toBeChecked();
  await page.goForward();
  await expect(heading).toHaveText('Histograms');
});
