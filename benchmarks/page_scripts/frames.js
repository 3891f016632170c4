/**
 * Frame times of a page with many charts: during its first scroll, and while a zoomed chart is panned.
 */
import { printResult, frames, inBrowser, task } from './chromium.js';

/** Pixels per notch of the wheel, milliseconds between notches: 3,600 pixels per second. */
const NOTCH = 120;
const NOTCH_EVERY = 33;
const NOTCHES = 75;
const MOVES = 60;
/** Where mounted charts are counted, while scrolling back. */
const STOPS = 15;

const PAGES = {
  mindviz: {
    chart: '.line-chart .u-over',
    mounted: '.card:has(.line-chart)',
    open: async () => undefined,
  },
  tensorboard: {
    chart: 'line-chart-interactive-view',
    mounted: 'card-view:has(line-chart)',
    open: async (page) => {
      // All groups but the first are collapsed.
      await page.evaluate(() => document.querySelectorAll('.group-toolbar').forEach((head) => {
        if (head.querySelector('[svgicon=expand_more_24px]')) head.click();
      }));
    },
  },
};

const selectors = PAGES[task.page];

async function scroll(page) {
  for (let i = 0; i < NOTCHES; i++) {
    await page.mouse.wheel(0, NOTCH);
    await page.waitForTimeout(NOTCH_EVERY);
  }
}

async function drag(page, box, from, to, moves) {
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  for (let i = 1; i <= moves; i++) await page.mouse.move(box.x + box.width * (from + ((to - from) * i) / moves), y);
  await page.mouse.up();
}

/** Charts that are mounted, and the most that may be: those in view and two rows. */
function countMounted(page) {
  return page.locator(selectors.mounted).evaluateAll((all) => {
    const boxes = all.map((one) => one.getBoundingClientRect());
    const visible = boxes.filter(({ top, bottom }) => bottom > 0 && top < innerHeight).length;
    return { mounted: all.length, allowed: visible + 2 * new Set(boxes.map(({ left }) => left)).size };
  });
}

printResult(await inBrowser(async (page, browser) => {
  await page.goto(task.url);
  const chart = page.locator(selectors.chart).first();
  await chart.waitFor();
  await selectors.open(page);
  await page.waitForTimeout(task.settling);
  const box = await chart.boundingBox();
  await drag(page, box, 0.3, 0.7, 8);
  await page.waitForTimeout(task.settling);
  await page.keyboard.down('Alt');
  const panned = await frames(page, browser, () => drag(page, box, 0.6, 0.3, MOVES));
  await page.keyboard.up('Alt');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  if (task.panOnly) return { panned };
  const scrolled = await frames(page, browser, () => scroll(page));
  // Counting during the measurement would use the main thread.
  const counts = [];
  for (let i = 0; i < STOPS; i++) {
    await page.mouse.wheel(0, (-NOTCH * NOTCHES) / STOPS);
    for (let look = 0; look < 3; look++) {
      await page.waitForTimeout(50);
      counts.push(await countMounted(page));
    }
  }
  counts.sort((a, b) => (b.mounted - b.allowed) - (a.mounted - a.allowed));
  return { panned, scrolled, ...counts[0] };
}));
