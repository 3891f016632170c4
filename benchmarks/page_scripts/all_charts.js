/** Milliseconds from the navigation until this many charts have painted this many lines each. */
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

answer(await inBrowser(async (page, browser) => {
  await page.addInitScript(watch, told);
  const { cpu } = await frames(page, browser, async () => {
    await page.goto(told.url, { waitUntil: 'commit' });
    await page.waitForFunction(() => globalThis.drawnAt, undefined, { polling: 20 });
  });
  const milliseconds = await page.evaluate(() => globalThis.drawnAt);
  return { milliseconds, cpu: cpu.reduce((sum, one) => sum + one, 0) };
}));
