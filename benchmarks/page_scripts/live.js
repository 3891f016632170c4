/**
 * What a page holds after it has lived beside a growing log. Time goes faster for its timers, and the
 * log is asked to grow whenever so many of its questions for what is new were answered.
 */
import { answer, ask, inBrowser, told } from './chromium.js';

const MEGABYTE = 1e6;

/** In the page: timers are so many times as fast. */
function hurry(speed) {
  for (const name of ['setTimeout', 'setInterval']) {
    const usual = globalThis[name];
    globalThis[name] = (action, delay = 0, ...rest) => usual(action, delay / speed, ...rest);
  }
}

async function heap(page, devtools) {
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await devtools.send('Runtime.getHeapUsage');
  return { js: usedSize / MEGABYTE, dom: embedderHeapUsedSize / MEGABYTE, buffers: backingStorageSize / MEGABYTE };
}

answer(await inBrowser(async (page) => {
  await page.addInitScript(hurry, told.speed);
  const devtools = await page.context().newCDPSession(page);
  await page.goto(told.url);
  await page.locator('.line-chart').first().waitFor();
  await page.waitForTimeout(told.settling);
  const before = await heap(page, devtools);
  let pulses = 0;
  let updates = 0;
  page.on('requestfinished', (request) => {
    if (request.url().includes('/scalars')) updates += 1;
    if (!request.url().endsWith('/status')) return;
    pulses += 1;
    if (pulses % told.pulsesPerPiece === 0) ask();
  });
  while (pulses < told.pulses) await page.waitForTimeout(200);
  await page.waitForTimeout(told.settling);
  const after = await heap(page, devtools);
  const last = await page.evaluate(() => Math.max(...document.querySelector('.line-chart').lines.map(({ x }) => x.at(-1))));
  return { before, after, pulses, updates, last };
}));
