/** Milliseconds from releasing the mouse to drawing a zoomed window of 1 % of the first chart. */
import { printResult, inBrowser, task } from './chromium.js';

/** Share of the plot's width. */
const SHARE = 0.01;

/** In the page: set `zoomed` once the chart has only the points of the window and one beyond each end. */
function watch({ steps }) {
  const chart = document.querySelector('.line-chart');
  addEventListener('mouseup', () => {
    const released = performance.now();
    const look = () => {
      const [line] = chart.painted;
      if (line.x.length < 4 || line.x.at(-2) - line.x[1] > 2 * steps) setTimeout(look, 2);
      else {
        requestAnimationFrame(() => setTimeout(() => {
          const drawn = performance.now();
          const low = line.band?.low ?? line.raw ?? line.y;
          const high = line.band?.high ?? line.raw ?? line.y;
          globalThis.zoomed = {
            milliseconds: drawn - released, points: line.x.length, x: [line.x[1], line.x.at(-2)], reduced: line.band !== null,
            low: low.slice(1, -1).reduce((a, b) => Math.min(a, b)), high: high.slice(1, -1).reduce((a, b) => Math.max(a, b)),
          };
        }));
      }
    };
    look();
  }, { capture: true, once: true });
}

printResult(await inBrowser(async (page) => {
  await page.goto(task.url);
  const plot = page.locator('.line-chart .u-over').first();
  await plot.waitFor();
  await page.waitForFunction(() => document.querySelector('.line-chart').painted?.[0]?.x.length > 100);
  await page.waitForTimeout(task.settling);
  const box = await plot.boundingBox();
  // A new place each time, so that nothing is cached.
  const left = Math.round(box.x + box.width * task.from);
  const right = left + Math.max(4, Math.round(box.width * SHARE));
  const middle = box.y + box.height / 2;
  await page.mouse.move(left, middle);
  await page.mouse.down();
  await page.mouse.move(left + 2, middle);
  await page.mouse.move(right, middle);
  await page.evaluate(watch, { steps: task.steps });
  await page.mouse.up();
  await page.waitForFunction(() => globalThis.zoomed, undefined, { polling: 20 });
  return { ...(await page.evaluate(() => globalThis.zoomed)), width: box.width };
}));
