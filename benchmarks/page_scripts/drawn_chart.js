/**
 * When a page shows its first chart, in a new browser: milliseconds since the navigation began, or,
 * where the server is started only when the browser is there, since it was. `cpu`: what the page's
 * main thread took of a processor until then.
 */
import { answer, ask, frames, inBrowser, told } from './chromium.js';

/** Until somebody listens there. */
async function served(url) {
  for (;;) {
    try {
      return await fetch(url);
    } catch {
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}

/** In the page: looks every few milliseconds whether a chart is there, and keeps when it was painted. */
function watch(page) {
  const isDrawn = {
    mindviz: () => [...document.querySelectorAll('.line-chart')].some((chart) => chart.painted?.some(({ x }) => x.length > 0)),
    // Its workers draw with WebGL, which nobody can look into: the axes are fitted to the data before.
    tensorboard: () => document.querySelector('line-chart .x-axis text, line-chart .y-axis text') !== null
      && document.querySelector('line-chart canvas, line-chart path') !== null,
  }[page];
  const look = () => {
    if (!isDrawn()) setTimeout(look, 5);
    else requestAnimationFrame(() => setTimeout(() => { globalThis.drawnAt = performance.now(); }));
  };
  look();
}

answer(await inBrowser(async (page, browser) => {
  await page.addInitScript(watch, told.page);
  const asked = performance.now();
  if (told.starts) {
    ask();
    await served(told.url);
  }
  const waited = told.starts ? performance.now() - asked : 0;
  const { cpu } = await frames(page, browser, async () => {
    await page.goto(told.url, { waitUntil: 'commit' });
    await page.waitForFunction(() => globalThis.drawnAt, undefined, { polling: 20 });
  });
  const milliseconds = waited + (await page.evaluate(() => globalThis.drawnAt));
  return { milliseconds, cpu: cpu.reduce((sum, one) => sum + one, 0) };
}));
