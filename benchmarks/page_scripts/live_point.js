/** Times at which appended points were painted: `[step, milliseconds since 1970]` for each new last step. */
import { printResult, requestAction, inBrowser, task } from './chromium.js';

/** In the page: record each new last step of the first chart, checked once per frame. */
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

printResult(await inBrowser(async (page) => {
  await page.goto(task.url);
  await page.locator('.line-chart').first().waitFor();
  await page.waitForTimeout(task.settling);
  await page.evaluate(watch, task.first);
  for (let i = 0; i < task.count; i++) requestAction();
  await page.waitForFunction((last) => globalThis.drawn.at(-1)?.[0] >= last, task.first + task.count - 1, { polling: 200 });
  return page.evaluate(() => globalThis.drawn);
}));
