import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Browser, Page } from '@playwright/test';

import { card, drawnLines, expect, Mindviz, openPage, python, ROOT, test } from './mindviz';

const TAGS = ['iou/road', 'train/accuracy', 'train/loss', 'validation/loss'];

let folder: string;
let mindviz: Mindviz;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mindviz-e2e-'));
  run('demo', join(folder, 'logs'));
  mindviz = await Mindviz.start({ logs: join(folder, 'logs') });
});
test.afterAll(async () => {
  await mindviz.stop();
  rmSync(folder, { recursive: true, force: true });
});

function run(...parameters: readonly string[]): string {
  return execFileSync(python(), ['-m', 'mindviz', ...parameters], { cwd: ROOT, encoding: 'utf8' });
}

/** The snapshot of a view, and what the command printed. */
function saved(name: string, view: string, ...options: readonly string[]): [URL, string] {
  const file = join(folder, `${name}.html`);
  const printed = run('snapshot', `${mindviz.url}#/${view}`, '-o', file, ...options);
  return [pathToFileURL(file), printed];
}

/** Opens a file without a network; nothing may be requested, complained about or blocked. */
async function offline(
  browser: Browser,
  url: URL,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ offline: true, locale: 'en-US' });
  const page = await context.newPage();
  const unexpected: string[] = [];
  page
    .on('console', (message) => unexpected.push(message.text()))
    .on('pageerror', (error) => unexpected.push(error.stack ?? error.message))
    .on('request', (request) => {
      const isOwn = /^(blob|data):/.test(request.url()) || request.url().startsWith(url.href);
      if (!isOwn) unexpected.push(request.url());
    });
  await page.goto(url.href);
  await look(page);
  await context.close();
  expect(unexpected).toEqual([]);
}

async function linesOf(page: Page, tag: string): Promise<unknown> {
  await card(page, tag).scrollIntoViewIfNeeded();
  const chart = card(page, tag).locator('.line-chart');
  await expect(chart).toBeVisible();
  await expect(chart).not.toHaveAttribute('aria-busy', 'true');
  await expect.poll(async () => (await drawnLines(page, tag)).length).toBeGreaterThan(0);
  return await drawnLines(page, tag);
}

async function allLines(page: Page): Promise<Map<string, unknown>> {
  const lines = new Map<string, unknown>();
  for (const tag of TAGS) lines.set(tag, await linesOf(page, tag));
  return lines;
}

test('a snapshot draws the lines of the live page, from disk and without a network', async ({
  page,
  browser,
}) => {
  await page.goto(`${mindviz.url}#/scalar`);
  const live = await allLines(page);
  const [url, printed] = saved('lines', 'scalar');
  expect(printed).toContain('9 of 9 runs, 60 of 60 scalar series, all exact.');
  await offline(browser, url, async (snapshot) => {
    expect(await allLines(snapshot)).toEqual(live);
    await expect(snapshot.getByRole('note')).toContainText('60 of 60 scalar series');
    await expect(snapshot).toHaveTitle(/^Scalars/);
  });
});

test('a snapshot opens with the view of the link, and zooms', async ({ page, browser }) => {
  const view = 'scalar?runs=tensorboard/resnet/lr_0.001&tags=train/&zoom=500..700&smooth=twema:0.8';
  await page.goto(`${mindviz.url}#/${view}`);
  await linesOf(page, 'train/loss');
  const [url] = saved('zoomed', view);
  await offline(browser, url, async (snapshot) => {
    await linesOf(snapshot, 'train/loss');
    const [live] = await drawnLines(page, 'train/loss');
    const [kept] = await drawnLines(snapshot, 'train/loss');
    expect(kept?.x).toEqual(live?.x);
    expect(kept?.raw).toEqual(live?.raw);
    kept?.y.forEach((value, at) => expect(value).toBeCloseTo(live?.y[at] ?? NaN, 10));
    await expect(card(snapshot, 'validation/loss')).toHaveCount(0);
  });
});

test('the policy of a snapshot allows no other scripts, and no eval', () => {
  const [url] = saved('policy', 'scalar');
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(readFileSync(url, 'utf8'))?.[1];
  expect(policy).toContain("default-src 'none'; script-src 'sha256-");
  expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/);
});

test('pages whose data were left out say so', async ({ browser }) => {
  const [url] = saved('pages', 'scalar');
  await offline(browser, url, async (snapshot) => {
    await linesOf(snapshot, 'train/loss');
    await openPage(snapshot, 'Runs', 'runs');
    await expect(snapshot.getByRole('row').filter({ hasText: 'lenet_adam' })).toBeVisible();
  });
});
