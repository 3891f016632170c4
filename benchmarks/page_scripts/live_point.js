/** When the points that are appended to a log were painted: `[step, milliseconds since 1970]` for each new last step. */
import { answer, ask, inBrowser, told } from './chromium.js';

/** In the page: looks in every frame for a new last step in the first chart. */
function watch(first) {
  globalThis.drawn = [];
  let last = first - 1;
  const look = () => {
    const lines = document.querySelector('.line-chart').painted ?? [];
    const newest = lines.reduce((most, { x }) => Math.max(most, x.at(-1) ?? -1), -1);
    if (newest > last) {
      last = newest;
      setTimeout(() => globalThis.drawn.push([newest, Date.now()]));
    }
    requestAnimationFrame(look);
  };
  look();
}

answer(await inBrowser(async (page) => {
  await page.goto(told.url);
  await page.locator('.line-chart').first().waitFor();
  await page.waitForTimeout(told.settling);
  await page.evaluate(watch, told.first);
  for (let i = 0; i < told.count; i++) ask();
  await page.waitForFunction((last) => globalThis.drawn.at(-1)?.[0] >= last, told.first + told.count - 1, { polling: 200 });
  return page.evaluate(() => globalThis.drawn);
}));
