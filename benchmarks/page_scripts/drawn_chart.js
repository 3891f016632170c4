/**
 * Milliseconds until a page shows its first chart in a new browser: from the navigation or, with `starts`, from the
 * start of the server. `cpu`: CPU time of the main thread until then.
 */
import { printResult, requestAction, frames, inBrowser, task } from './chromium.js';

/** Wait for the server. */
async function waitFor(url) {
  for (;;) {
    try {
      return await fetch(url);
    } catch {
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}

/** In the page: set `drawnAt` when a chart is painted. */
function watch(page) {
  const isDrawn = {
    mindviz: () => [...document.querySelectorAll('.line-chart')].some((chart) => chart.painted?.some(({ x }) => x.length > 0)),
    // Its workers draw with WebGL, so look for axes, which are fitted to the data before.
    tensorboard: () => document.querySelector('line-chart .x-axis text, line-chart .y-axis text') !== null
      && document.querySelector('line-chart canvas, line-chart path') !== null,
  }[page];
  const look = () => {
    if (!isDrawn()) setTimeout(look, 5);
    else requestAnimationFrame(() => setTimeout(() => { globalThis.drawnAt = performance.now(); }));
  };
  look();
}

printResult(await inBrowser(async (page, browser) => {
  await page.addInitScript(watch, task.page);
  const started = performance.now();
  if (task.starts) {
    requestAction();
    await waitFor(task.url);
  }
  const waited = task.starts ? performance.now() - started : 0;
  const { cpu } = await frames(page, browser, async () => {
    await page.goto(task.url, { waitUntil: 'commit' });
    await page.waitForFunction(() => globalThis.drawnAt, undefined, { polling: 20 });
  });
  const milliseconds = waited + (await page.evaluate(() => globalThis.drawnAt));
  return { milliseconds, cpu: cpu.reduce((sum, one) => sum + one, 0) };
}));
