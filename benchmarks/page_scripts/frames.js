/**
 * What frames cost the main thread of a page with many charts: while it is scrolled for the first
 * time, and while a chart that is zoomed into is panned.
 */
import { answer, frames, inBrowser, told } from './chromium.js';

/** Pixels of a notch of a wheel, and how often one comes: 3,600 pixels in a second. */
const NOTCH = 120;
const NOTCH_EVERY = 33;
const NOTCHES = 75;
const MOVES = 60;
/** Where it is counted what is mounted, on the way back. */
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
      // All but the first groups are folded.
      await page.evaluate(() => document.querySelectorAll('.group-toolbar').forEach((head) => {
        if (head.querySelector('[svgicon=expand_more_24px]')) head.click();
      }));
    },
  },
};

const about = PAGES[told.page];

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

/** How many charts there are, and how many there may be: those in view and two rows. */
function counted(page) {
  return page.locator(about.mounted).evaluateAll((all) => {
    const boxes = all.map((one) => one.getBoundingClientRect());
    const visible = boxes.filter(({ top, bottom }) => bottom > 0 && top < innerHeight).length;
    return { mounted: all.length, allowed: visible + 2 * new Set(boxes.map(({ left }) => left)).size };
  });
}

answer(await inBrowser(async (page, browser) => {
  await page.goto(told.url);
  const chart = page.locator(about.chart).first();
  await chart.waitFor();
  await about.open(page);
  await page.waitForTimeout(told.settling);
  const box = await chart.boundingBox();
  await drag(page, box, 0.3, 0.7, 8);
  await page.waitForTimeout(told.settling);
  await page.keyboard.down('Alt');
  const panned = await frames(page, browser, () => drag(page, box, 0.6, 0.3, MOVES));
  await page.keyboard.up('Alt');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  if (told.panOnly) return { panned };
  const scrolled = await frames(page, browser, () => scroll(page));
  // Not meanwhile: to count is work for the page's main thread.
  const counts = [];
  for (let i = 0; i < STOPS; i++) {
    await page.mouse.wheel(0, (-NOTCH * NOTCHES) / STOPS);
    for (let look = 0; look < 3; look++) {
      await page.waitForTimeout(50);
      counts.push(await counted(page));
    }
  }
  counts.sort((a, b) => (b.mounted - b.allowed) - (a.mounted - a.allowed));
  return { panned, scrolled, ...counts[0] };
}));
