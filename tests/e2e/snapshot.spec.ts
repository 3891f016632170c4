import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Browser, Page } from '@playwright/test';

import { card, drawnLines, expect, Mindviz, test } from './mindviz';
import { runModule } from './server_process';

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

const run = (...parameters: readonly string[]): string => runModule('mindviz', ...parameters);

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
    .on('console', (message) => {
      // WebGL without a graphics card logs performance warnings.
      if (!message.text().includes('GL Driver Message')) unexpected.push(message.text());
    })
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
  // Returns once the rules have been evaluated: the live page then marks all events.
  const [url, printed] = saved('lines', 'scalar');
  await page.goto(`${mindviz.url}#/scalar`);
  const live = await allLines(page);
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

test('a snapshot has no controls that need a server', async ({ page, browser }) => {
  const [url] = saved('controls', 'runs');
  const row = (of: Page) => of.locator('.run[data-job$="lenet_adam"]');
  const noteButtons = (of: Page) => of.locator('[aria-label^="Edit notes"]');
  const everything = (of: Page) => of.getByRole('link', { name: 'Download CSV (all points)' });
  const menu = (of: Page) => card(of, 'train/loss').getByRole('button', { name: /^Chart menu/ });
  await page.goto(`${mindviz.url}#/runs`);
  await expect(row(page)).toBeVisible();
  expect(await noteButtons(page).count()).toBeGreaterThan(0);
  await page.goto(`${mindviz.url}#/scalar`);
  await linesOf(page, 'train/loss');
  await menu(page).click();
  await expect(everything(page)).toBeVisible();
  await offline(browser, url, async (snapshot) => {
    await expect(row(snapshot)).toBeVisible();
    await expect(noteButtons(snapshot)).toHaveCount(0);
    await snapshot.goto(`${url.href}#/scalar`);
    await linesOf(snapshot, 'train/loss');
    await menu(snapshot).click();
    await expect(card(snapshot, 'train/loss').getByText('Download PNG')).toBeVisible();
    await expect(everything(snapshot)).toHaveCount(0);
  });
});

test('About shows the licenses of the packages in the file', async ({ browser }) => {
  const [url] = saved('licenses', 'scalar');
  await offline(browser, url, async (snapshot) => {
    await linesOf(snapshot, 'train/loss');
    await snapshot.keyboard.press('Control+k');
    await snapshot.keyboard.type('About mindviz');
    await snapshot.keyboard.press('Enter');
    await snapshot.getByRole('dialog').getByText('Third-party licenses').click();
    await expect(snapshot.getByRole('dialog').locator('pre')).toContainText('uplot');
  });
});

/** The pages of the demo, and a text or element that only their data show. */
const PAGES: readonly [path: string, shown: string][] = [
  ['runs', '.job-name[title$="lenet_adam"]'],
  ['image', 'article:has-text("drawn") :is(img, canvas)'],
  ['histogram', 'article:has-text("conv1.weight")'],
  ['text', 'article:has-text("sample/text_summary")'],
  ['audio', 'article:has-text("chord") button'],
  ['graph', 'svg text'],
  ['tensor', 'article:has-text("confusion") td'],
  ['landscape', 'article canvas'],
  ['mesh', 'article:has-text("ball") canvas'],
  ['curves', 'article:has-text("detector")'],
  ['custom_scalars', '.line-chart'],
  ['health', '.job-name[title$="diverged"]'],
];

test('other pages show their data, and none requests anything', async ({ browser }) => {
  const [url] = saved('pages', 'scalar');
  await offline(browser, url, async (snapshot) => {
    for (const [path, shown] of PAGES) {
      await snapshot.goto(`${url.href}#/${path}`);
      await expect(snapshot.locator(`main ${shown}`).first(), path).toBeVisible();
      await expect(snapshot.getByText('Not in this snapshot.'), path).toHaveCount(0);
    }
  });
});

test('what was left out is stated', async ({ browser }) => {
  const [url, printed] = saved('small', 'scalar?tags=loss', '--budget', '1900KB');
  expect(readFileSync(url).length).toBeLessThanOrEqual(1_900_000);
  expect(printed).toMatch(/reduced to [\d,]+ points/);
  expect(printed).toContain('Left out: ');
  await offline(browser, url, async (snapshot) => {
    await linesOf(snapshot, 'train/loss');
    await expect(snapshot.getByRole('note')).toContainText(/reduced to [\d,]+ points/);
    const badge = card(snapshot, 'train/loss').getByText(/^[\d,]+ of [\d,]+ points$/);
    await expect(badge).toHaveAttribute('title', /^This snapshot has /);
    await snapshot.getByRole('note').getByRole('button', { name: 'Details' }).click();
    const box = snapshot.getByRole('dialog');
    const named = /Reduced:\n {2}(\S+) (\S+): ([\d,]+ of [\d,]+ points)/.exec(printed);
    const row = box.getByRole('row').filter({ hasText: named?.[1] ?? '?' });
    await expect(row.filter({ hasText: named?.[2] ?? '?' })).toContainText(named?.[3] ?? '?');
    await snapshot.keyboard.press('Escape');
    await snapshot.goto(`${url.href}#/image`);
    await expect(snapshot.getByText('Not in this snapshot.').first()).toBeVisible();
  });
});

test('series that did not fit are named', async ({ browser }) => {
  const [url, printed] = saved('smallest', 'scalar?tags=learning_rate', '--budget', '1860KB');
  const counts = /([\d,]+) of ([\d,]+) scalar series/.exec(printed);
  expect(Number(counts?.[1])).toBeLessThan(Number(counts?.[2]));
  await offline(browser, url, async (snapshot) => {
    await linesOf(snapshot, 'train/learning_rate');
    await snapshot.getByRole('button', { name: 'Snapshot', exact: true }).click();
    const box = snapshot.getByRole('dialog');
    await expect(box).toContainText(/[\d,]+ reduced or missing series/);
    const missing = Number(counts?.[2]) - Number(counts?.[1]);
    const rows = box.getByRole('row').filter({ hasText: 'Not included' });
    await box.getByRole('group').evaluate((element) => element.scrollTo(0, 1e6));
    await expect.poll(() => rows.count()).toBeGreaterThan(Math.min(missing, 5) - 1);
  });
});

test('the button downloads the view, with what the page shows', async ({ page, browser }) => {
  await page.goto(
    `${mindviz.url}#/compare?view=parameters&runs=mindspore/lenet_sgd~mindspore/lenet_adam`,
  );
  await expect(page.getByText('learning_rate').first()).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save snapshot' }).click();
  const file = join(folder, 'button.html');
  await (await download).saveAs(file);
  await offline(browser, pathToFileURL(file), async (snapshot) => {
    await expect(snapshot.getByText('learning_rate').first()).toBeVisible();
    await expect(snapshot.getByRole('button', { name: 'Save snapshot' })).toHaveCount(0);
  });
});

test('an empty folder cannot be saved', async ({ page }) => {
  const empty = await Mindviz.start();
  await page.goto(empty.url);
  await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
  const button = page.getByRole('button', { name: 'Save snapshot' });
  await expect(button).toBeDisabled();
  await expect(button).toHaveAttribute('title', 'Save snapshot: no runs to save');
  await page.close();
  await empty.stop();
});

test('groups of runs have statistics', async ({ page, browser }) => {
  const view = 'scalar?by=optimizer&tags=loss&smooth=0.5';
  await page.goto(`${mindviz.url}#/${view}`);
  await linesOf(page, 'train/loss');
  const [url] = saved('groups', view);
  await offline(browser, url, async (snapshot) => {
    await linesOf(snapshot, 'train/loss');
    const live = await drawnLines(page, 'train/loss');
    const kept = await drawnLines(snapshot, 'train/loss');
    expect(kept.map(({ id }) => id)).toEqual(live.map(({ id }) => id));
    for (const [i, line] of kept.entries()) {
      expect(line.x).toEqual(live[i]?.x);
      line.y.forEach((value, at) => expect(value).toBeCloseTo(live[i]?.y[at] ?? NaN, 8));
    }
  });
});

test('the command saves comparisons and the importance of parameters', async ({ browser }) => {
  const runs = 'runs=mindspore/lenet_sgd~mindspore/lenet_adam';
  const views = [
    [`compare?view=parameters&${runs}`, 'th:has-text("learning_rate")'],
    [`compare?view=parity&${runs}`, 'td:has-text("gradient_norm"), th:has-text("gradient_norm")'],
    ['sweep', '.importance li:has-text("learning_rate")'],
  ] as const;
  for (const [i, [view, shown]] of views.entries()) {
    const [url] = saved(`compared${i}`, view);
    await offline(browser, url, async (snapshot) => {
      await expect(snapshot.locator(shown).first(), view).toBeVisible();
      await expect(snapshot.getByText('Not in this snapshot.'), view).toHaveCount(0);
    });
  }
});

test('a folder works on any host, beneath any path', async ({ page, browser }) => {
  await page.goto(`${mindviz.url}#/scalar`);
  const live = await allLines(page);
  run('snapshot', join(folder, 'logs'), '--folder', join(folder, 'host/some/path'));
  const host = createServer((request, response) => {
    const path = join(folder, 'host', new URL(request.url ?? '/', 'http://host').pathname);
    const type = {
      html: 'text/html',
      js: 'text/javascript',
      css: 'text/css',
      svg: 'image/svg+xml',
    };
    try {
      const file = path.endsWith('/') ? join(path, 'index.html') : path;
      const content = readFileSync(file);
      const extension = (/[^.]+$/.exec(file)?.[0] ?? '') as keyof typeof type;
      response.writeHead(200, { 'Content-Type': type[extension] ?? 'application/octet-stream' });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening));
  const { port } = host.address() as AddressInfo;
  try {
    const root = `http://127.0.0.1:${port}/some/path/`;
    const other = await browser.newPage({ locale: 'en-US' });
    const failed: string[] = [];
    other.on('response', (answer) => {
      if (!answer.ok() || !answer.url().startsWith(root)) failed.push(answer.url());
    });
    await other.goto(root);
    expect(await allLines(other)).toEqual(live);
    await other.close();
    expect(failed).toEqual([]);
  } finally {
    host.close();
  }
});

test('names and texts of logs are data, whatever they contain', async ({ browser }) => {
  const logs = join(folder, 'hostile');
  runModule('tests.e2e.written_names', logs);
  const file = join(folder, 'hostile.html');
  run('snapshot', logs, '-o', file, '--view', '#/scalar?x=</script><script>alert(1)</script>');
  expect(readFileSync(file, 'utf8')).not.toMatch(/alert\(1\)|window\.ran/);
  await offline(browser, pathToFileURL(file), async (snapshot) => {
    for (const path of ['scalar', 'runs', 'image', 'text', 'histogram']) {
      await snapshot.goto(`${pathToFileURL(file).href}#/${path}`);
      await expect(snapshot.locator('.job-name[title*="<img src=x"]').first()).toBeVisible();
    }
    expect(await snapshot.evaluate(() => 'ran' in window)).toBe(false);
  });
});
