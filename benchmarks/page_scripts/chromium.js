/**
 * Shared by the page scripts: a browser with an empty cache, and frame times from its trace.
 *
 * Each script is run as `node SCRIPT '{"url": ..., ...}'` and prints its result as one line of JSON. A line
 * `action` before that requests something from the benchmark, such as starting a server.
 */
import { createRequire } from 'node:module';

import { browser as executable } from '../../ui/browser.ts';

// The benchmarks use the packages of the UI.
const { chromium } = createRequire(new URL('../../ui/package.json', import.meta.url))('@playwright/test');

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];
const VIEWPORT = { width: 1440, height: 860 };

/** The arguments of the script. */
export const task = JSON.parse(process.argv[2] ?? '{}');

export function printResult(result) {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Have the benchmark do its part. */
export function requestAction() {
  process.stdout.write('action\n');
}

/** Run an action in a new browser without a GPU. `webgl`: WebGL in software. */
export async function inBrowser(action, { webgl = false } = {}) {
  const browser = await chromium.launch({
    executablePath: executable(),
    args: [
      ...(webgl ? ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : ['--disable-gpu']),
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

/** Wait for the next frame. */
export function painted(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

/**
 * Milliseconds of the main thread per frame during an action: its tasks since the previous frame was committed
 * to the compositor, as CPU time (`cpu`) and wall time (`wall`).
 */
export async function frames(page, browser, action) {
  await browser.startTracing(page, { categories: CATEGORIES });
  await action();
  await painted(page);
  return framesOf(JSON.parse(String(await browser.stopTracing())).traceEvents);
}

function framesOf(events) {
  // The browser process commits frames of its own.
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
