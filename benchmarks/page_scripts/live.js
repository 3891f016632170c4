/**
 * Heap of a page after it has followed a growing log, with timers sped up. The log grows after every
 * `pulsesPerPiece` polls of the status.
 */
import { printResult, requestAction, inBrowser, task } from './chromium.js';

const MEGABYTE = 1e6;

/** In the page: speed up timers. */
function speedUp(speed) {
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

printResult(await inBrowser(async (page) => {
  await page.addInitScript(speedUp, task.speed);
  const devtools = await page.context().newCDPSession(page);
  await page.goto(task.url);
  await page.locator('.line-chart').first().waitFor();
  await page.waitForTimeout(task.settling);
  const before = await heap(page, devtools);
  let pulses = 0;
  let updates = 0;
  page.on('requestfinished', (request) => {
    if (request.url().includes('/scalars')) updates += 1;
    if (!request.url().endsWith('/status')) return;
    pulses += 1;
    if (pulses % task.pulsesPerPiece === 0) requestAction();
  });
  while (pulses < task.pulses) await page.waitForTimeout(200);
  await page.waitForTimeout(task.settling);
  const after = await heap(page, devtools);
  const last = await page.evaluate(() => Math.max(...document.querySelector('.line-chart').lines.map(({ x }) => x.at(-1))));
  return { before, after, pulses, updates, last };
}));
