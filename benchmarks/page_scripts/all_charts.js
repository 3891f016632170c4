/**
 * Milliseconds from the navigation until `charts` charts have painted `lines` lines each, with an empty cache
 * (`milliseconds`) and with the page's files cached (`again`).
 */
import { printResult, frames, inBrowser, task } from './chromium.js';

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
  await page.goto(task.url, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.drawnAt, undefined, { polling: 20 });
}

// Tracing takes CPU time, so the load is timed without it.
const [milliseconds, again] = await inBrowser(async (page) => {
  await page.addInitScript(watch, task);
  const times = [];
  for (let visit = 0; visit < 2; visit++) {
    await page.goto('about:blank');
    await load(page);
    times.push(await page.evaluate(() => globalThis.drawnAt));
  }
  return times;
});
const cpu = await inBrowser(async (page, browser) => {
  await page.addInitScript(watch, task);
  const traced = await frames(page, browser, () => load(page));
  return traced.cpu.reduce((sum, one) => sum + one, 0);
});
printResult({ milliseconds, again, cpu });
