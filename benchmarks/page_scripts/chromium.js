/**
 * What the page scripts share: a browser that has seen nothing yet, and what a trace of it says.
 *
 * Each script is run as `node SCRIPT '{"url": ..., ...}'` and prints one line of JSON; before it lines
 * that say `ask`, where it wants something done outside the browser.
 */
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

// The packages of the UI are those of the benchmarks, too.
const { chromium } = createRequire(new URL('../../ui/package.json', import.meta.url))('@playwright/test');

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];
/** Of a usual window on a usual screen. */
const VIEWPORT = { width: 1440, height: 860 };

/** What the script was told. */
export const told = JSON.parse(process.argv[2] ?? '{}');

export function answer(result) {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Have whoever started the script do what he knows. */
export function ask() {
  process.stdout.write('ask\n');
}

function executable() {
  const named = process.env['MINDVIZ_CHROMIUM'];
  if (named) return named;
  const found = (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (!found) throw new Error(`The pages are measured in one of ${NAMES.join(', ')}, which must be on the PATH.`);
  return found;
}

/** Runs an action in a browser of its own: nothing cached, no GPU; closed afterwards. `inSpace`: WebGL, by the processor. */
export async function inBrowser(action, { inSpace = false } = {}) {
  const browser = await chromium.launch({
    executablePath: executable(),
    args: [
      ...(inSpace ? ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : ['--disable-gpu']),
      '--no-sandbox', '--disable-quic', '--no-first-run', '--enable-precise-memory-info',
      '--disable-background-networking', '--disable-component-update', '--disable-sync',
    ],
  });
  try {
    const page = await browser.newPage({ viewport: VIEWPORT, locale: 'en-US', colorScheme: 'light' });
    page.setDefaultTimeout(120_000);
    return await action(page, browser);
  } finally {
    await browser.close();
  }
}

/** Resolves when the page has painted what it has now. */
export function painted(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

/**
 * Milliseconds of the page's main thread for each frame while the action lasts: its tasks since the
 * frame before was handed to the compositor, by the thread's own clock (`cpu`: what a processor spent)
 * and by the wall's (`wall`: it may have waited for a processor).
 */
export async function frames(page, browser, action) {
  await browser.startTracing(page, { categories: CATEGORIES });
  await action();
  await painted(page);
  return framesOf(JSON.parse(String(await browser.stopTracing())).traceEvents);
}

function framesOf(events) {
  // The browser's own process has frames, too, and more of them while a page is loaded.
  const mains = new Set(events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf));
  const commits = events.filter((event) => event.name === 'Commit' && event.ph === 'X' && mains.has(threadOf(event)));
  const thread = mostCommon(commits.map(threadOf));
  const ofThread = (event) => threadOf(event) === thread;
  const ends = commits.filter(ofThread).map(({ ts }) => ts).sort((a, b) => a - b);
  const cpu = ends.map(() => 0);
  const wall = ends.map(() => 0);
  for (const { ts, dur = 0, tdur = 0 } of events.filter((event) => event.name === 'RunTask' && ofThread(event))) {
    const frame = ends.findIndex((end) => end >= ts);
    if (frame < 0) continue;
    cpu[frame] += tdur / 1000;
    wall[frame] += dur / 1000;
  }
  return { cpu, wall };
}

const threadOf = ({ pid, tid }) => `${pid}:${tid}`;

function mostCommon(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
