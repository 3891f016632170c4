/**
 * Milliseconds from the navigation until this many charts have painted this many lines each: in a
 * browser that has seen nothing (`milliseconds`), and when it is opened again (`again`).
 */
import { answer, frames, inBrowser, told } from './chromium.js';

function watch({ charts, lines }) {
  const look = () => {
    const all = [...document.querySelectorAll('.line-chart')];
    const drawn = all.filter((chart) => chart.painted?.length >= lines && chart.painted === chart.lines);
    if (drawn.length < charts) setTimeout(look, 5);
    else requestAnimationFrame(() => setTimeout(() => { globalThis.drawnAt = performance.now(); }));
  };
  look();
}

async function load(page) {
  await page.goto(told.url, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.drawnAt, undefined, { polling: 20 });
}

// Tracing takes a processor's time, of which there may be few: the load is timed without it.
const [milliseconds, again] = await inBrowser(async (page) => {
  await page.addInitScript(watch, told);
  const times = [];
  for (let visit = 0; visit < 2; visit++) {
    await page.goto('about:blank');
    await load(page);
    times.push(await page.evaluate(() => globalThis.drawnAt));
  }
  return times;
});
const cpu = await inBrowser(async (page, browser) => {
  await page.addInitScript(watch, told);
  const traced = await frames(page, browser, () => load(page));
  return traced.cpu.reduce((sum, one) => sum + one, 0);
});
answer({ milliseconds, again, cpu });
