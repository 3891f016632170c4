/** A folder with more runs than the page lists: it asks the server for pages. */
import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { expect, Mindviz, row, runsOf, test, writeSweep } from './mindviz';

const COUNT = 1_200;
const LISTED = 600;
/** The last one in every usual order. */
const LAST = 'sgd/run_1199';

let server: Mindviz;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  server = await Mindviz.start({ arguments: ['--max-listed-runs', String(LISTED)] });
  writeSweep(server.logs, COUNT, 3);
  await server.loaded(COUNT);
});

test.afterAll(async () => {
  await server.stop();
});

async function open(page: Page, view: string): Promise<void> {
  await page.goto(`${server.url}#${view}`);
  await expect(page.locator('.top').getByText('1,200 runs')).toBeVisible({ timeout: 30_000 });
}

const rows = (page: Page): Locator => page.locator('.run');
const title = (page: Page, column: string): Locator =>
  page.locator(`[data-column="${column}"] .title`);
const firstRun = (page: Page) => page.locator('.run[aria-rowindex="2"]').getAttribute('data-job');

/** Requests for rows of all runs. */
const unlimited = (requests: readonly URL[]): string[] =>
  requests
    .filter(({ pathname }) => pathname.endsWith('/train-job-columns'))
    .filter(({ searchParams }) => !searchParams.has('limit') && !searchParams.has('train_id'))
    .map(String);

test('rows are listed as they are scrolled to, up to the limit', async ({ page, requests }) => {
  await open(page, '/runs');
  await expect(page.getByText('Runs 1–500 of 1,200')).toBeVisible();
  const scroller = page.locator('.scroller');
  await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(page.getByText('Runs 1–600 of 1,200')).toBeVisible();
  await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(page.locator('.run[aria-rowindex="601"]')).toBeVisible();
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '1201');
  expect(unlimited(requests)).toEqual([]);
});

test('until the first rows arrive, the page says that it loads them', async ({ page }) => {
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (release = done));
  await page.route(/train-job-(columns\?.*order=-pinned|ids\?)/, async (route) => {
    await held;
    await route.continue();
  });
  await open(page, '/runs');
  const counts = page.getByRole('status').filter({ hasText: 'Loading…' });
  await expect(counts).toBeVisible();
  await expect(page.getByText(/^0 of /)).toHaveCount(0);
  await page.locator('.rail').getByRole('link', { name: 'Charts' }).click();
  await expect(page.locator('.panel .summary')).toContainText('Loading…');
  release();
  await expect(page.locator('.panel .summary')).toContainText('10 of 1,200 selected');
});

test('the server sorts and filters all runs; undo and links restore what was asked', async ({
  page,
}) => {
  await open(page, '/runs');
  await title(page, 'metric/accuracy').click();
  await expect.poll(() => firstRun(page)).toBe('./adam/run_2');
  await page.keyboard.press('Control+z');
  await expect.poll(() => firstRun(page)).toBe('./adam/run_0');
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => firstRun(page)).toBe('./adam/run_2');
  await title(page, 'metric/accuracy').click();
  await expect.poll(() => firstRun(page)).toBe('./sgd/run_1197');

  const field = page.locator('input[name=runs]');
  await field.fill('optimizer = sgd and lr > 0.39');
  await expect(page.getByText('15 of 1,200 runs')).toBeVisible();
  await expect(rows(page)).toHaveCount(15);
  await page.reload();
  await expect(page.getByText('15 of 1,200 runs')).toBeVisible();
  await expect.poll(() => firstRun(page)).toBe('./sgd/run_1197');
  await field.fill('sgd and lr >');
  await expect(page.getByText('15 of 1,200 runs')).toBeVisible();
  await field.fill('nothing');
  await expect(page.getByText('No runs match')).toBeVisible();
});

test('a filter is completed with the values of all runs', async ({ page }) => {
  await open(page, '/runs');
  const field = page.locator('input[name=runs]');
  await field.fill('optimizer = s');
  await expect(page.getByRole('option', { name: 'sgd' })).toBeVisible();
});

test('a selected run beyond the pages is drawn, and links keep it', async ({ page }) => {
  await open(page, '/runs');
  const field = page.locator('input[name=runs]');
  await field.fill('run_1199$');
  await expect(rows(page)).toHaveCount(1);
  await rows(page).getByRole('checkbox').click();
  await expect(page.getByText('11 selected')).toBeVisible();
  await field.fill('');
  await expect(page.getByText('Runs 1–500 of 1,200')).toBeVisible();
  await expect(page.getByText('11 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Scalars' }).click();
  const selected = page.locator('.panel div.job.selected');
  await expect.poll(() => runsOf(selected)).toContain(LAST);
  await page.reload();
  await expect(page.locator('.panel .summary')).toContainText('11 of 1,200');
  await expect.poll(() => runsOf(selected)).toContain(LAST);
  await expect(page.locator('.panel h2').last()).toContainText('of 1,200');
  // The row leaves the panel with its selection.
  await row(page, LAST).getByRole('checkbox').click();
  await expect(page.locator('.panel .summary')).toContainText('10 of 1,200');
});

test('all runs that match are selected', async ({ page }) => {
  await open(page, '/runs');
  await page.locator('input[name=runs]').fill('sgd');
  await expect(page.getByText('Runs 1–500 of 600 (1,200 in all)')).toBeVisible();
  // The newest ten, of adam, stay selected.
  // The box changes when the server has named the runs.
  await page.locator('.head .check input').click();
  await expect(page.getByText('610 selected')).toBeVisible();
  await page.locator('.head .check input').click();
  await expect(page.getByText('10 selected', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Only these' }).click();
  await expect(page.getByText('600 selected')).toBeVisible();
  await expect(page).toHaveURL(/runs=\*/);
  await page.locator('.head .check input').click();
  await expect(page.getByText('600 selected')).toBeHidden();
});

test('groups have the statistics of all of their runs', async ({ page }) => {
  await open(page, '/runs');
  await page.getByRole('button', { name: 'Mean over seeds' }).click();
  const groups = page.locator('.group');
  const first = groups.filter({
    has: page.locator('.title', { hasText: /^lr 0\.001, optimizer adam$/ }),
  });
  await expect(first).toContainText('3 runs');
  await expect(first).toContainText('0.950 ± 0.001 (n=3)');
  await expect(page.locator('.run')).toHaveCount(0);
  await title(page, 'metric/accuracy').click();
  await title(page, 'metric/accuracy').click();
  const worst = page.locator('.group[aria-rowindex="2"]');
  await expect(worst).toContainText('lr 0.4, optimizer sgd');
  await worst.getByRole('button').first().click();
  await expect(rows(page)).toHaveCount(3);
  await worst.getByRole('checkbox').click();
  await expect(page.getByText('13 selected')).toBeVisible();
  await page.reload();
  await expect(rows(page)).toHaveCount(3);
  await expect(worst.getByRole('checkbox')).toBeChecked();
});

test('the sweep says that it shows the first runs', async ({ page }) => {
  await open(page, '/sweep');
  await expect(page.getByText('the first 500 of 1,200 runs')).toBeVisible();
});

test('the search of commands finds runs that are not listed', async ({ page }) => {
  await open(page, '/runs');
  await expect(rows(page).first()).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('1199');
  await page.getByRole('option', { name: LAST }).click();
  await expect(page.locator('.drawer')).toContainText(LAST);
  await expect(page.locator('.drawer')).toContainText('0.4');
});

test('the CSV has the rows of all pages', async ({ page }) => {
  await open(page, '/runs');
  await page.locator('input[name=runs]').fill('sgd');
  await expect(page.getByText('Runs 1–500 of 600 (1,200 in all)')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV of this table' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines).toHaveLength(601);
  expect(lines.find((line) => line.startsWith(LAST))).toContain('0.4,sgd');
});
