/** From letting go of the mouse to the points of a window of 1 % being drawn, in the first chart. */
import { answer, inBrowser, told } from './chromium.js';

/** Of the plot's width; what is dragged over must be a whole number of pixels. */
const SHARE = 0.01;

/** In the page: what is drawn once the chart's points are those of the window, one beyond at each end. */
function watch({ steps }) {
  const chart = document.querySelector('.line-chart');
  addEventListener('mouseup', () => {
    const letGo = performance.now();
    const look = () => {
      const [line] = chart.painted;
      if (line.x.length < 4 || line.x.at(-2) - line.x[1] > 2 * steps) setTimeout(look, 2);
      else {
        requestAnimationFrame(() => setTimeout(() => {
          const drawn = performance.now();
          const low = line.band?.low ?? line.raw ?? line.y;
          const high = line.band?.high ?? line.raw ?? line.y;
          globalThis.zoomed = {
            milliseconds: drawn - letGo, points: line.x.length, x: [line.x[1], line.x.at(-2)], reduced: line.band !== null,
            low: low.slice(1, -1).reduce((a, b) => Math.min(a, b)), high: high.slice(1, -1).reduce((a, b) => Math.max(a, b)),
          };
        }));
      }
    };
    look();
  }, { capture: true, once: true });
}

answer(await inBrowser(async (page) => {
  await page.goto(told.url);
  const plot = page.locator('.line-chart .u-over').first();
  await plot.waitFor();
  await page.waitForFunction(() => document.querySelector('.line-chart').painted?.[0]?.x.length > 100);
  await page.waitForTimeout(told.settling);
  const box = await plot.boundingBox();
  // Elsewhere each time, or the server had the answer ready.
  const left = Math.round(box.x + box.width * told.from);
  const right = left + Math.max(4, Math.round(box.width * SHARE));
  const middle = box.y + box.height / 2;
  await page.mouse.move(left, middle);
  await page.mouse.down();
  await page.mouse.move(left + 2, middle);
  await page.mouse.move(right, middle);
  await page.evaluate(watch, { steps: told.steps });
  await page.mouse.up();
  await page.waitForFunction(() => globalThis.zoomed, undefined, { polling: 20 });
  return { ...(await page.evaluate(() => globalThis.zoomed)), width: box.width };
}));
