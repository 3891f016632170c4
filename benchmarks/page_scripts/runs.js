/** When a table of many train jobs can be used, and how long its filter takes. */
import { answer, frames, inBrowser, painted, told } from './chromium.js';

/** In the page: tasks longer than 50 ms, and when rows were painted: some, and with all jobs known. */
function watch(jobs) {
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) globalThis.longTasks.push([startTime, duration]);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    const count = document.querySelector('.page [role=status]')?.textContent ?? '';
    // "100 of 10,000 runs": as many are listed, unfiltered, as are known so far.
    const known = Number(/\d[\d,]*/.exec(count)?.[0].replaceAll(',', '') ?? 0);
    const when = known >= jobs ? 'completeAt' : 'drawnAt';
    if (document.querySelector('.page .run') !== null && known > 0 && !(when in globalThis)) {
      globalThis[when] = NaN;
      requestAnimationFrame(() => setTimeout(() => { globalThis[when] = performance.now(); }));
    }
    if (!('completeAt' in globalThis)) setTimeout(look, 5);
  };
  look();
}

/** In the page: milliseconds from the text being typed to the rows being painted. */
function filter(text) {
  const field = document.querySelector('.page input[name=runs]');
  const count = document.querySelector('.page [role=status]');
  const before = count.textContent;
  return new Promise((done) => {
    const started = performance.now();
    const observer = new MutationObserver(() => {
      if (count.textContent === before) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => { done([performance.now() - started, count.textContent.trim()]); }));
    });
    observer.observe(count, { childList: true, characterData: true, subtree: true });
    field.value = text;
    field.dispatchEvent(new Event('input'));
  });
}

/** What an action took of a processor, on the page's main thread, and what came of it. */
async function measured(page, browser, action) {
  let result;
  const { cpu } = await frames(page, browser, async () => { result = await action(); });
  return { cpu: cpu.reduce((sum, one) => sum + one, 0), result };
}

answer(await inBrowser(async (page, browser) => {
  await page.addInitScript(watch, told.jobs);
  const { cpu } = await measured(page, browser, async () => {
    await page.goto(told.url, { waitUntil: 'commit' });
    await page.waitForFunction(() => globalThis.completeAt, undefined, { polling: 20 });
  });
  await page.waitForTimeout(told.settling);
  const start = await page.evaluate(() => ({
    drawn: globalThis.drawnAt ?? globalThis.completeAt, complete: globalThis.completeAt, longTasks: globalThis.longTasks,
  }));
  // Usable once no task keeps it from answering for a quarter of a second.
  let interactive = start.complete;
  for (const [began, lasted] of start.longTasks) {
    if (began < interactive + 250) interactive = Math.max(interactive, began + lasted);
  }
  const filters = {};
  for (const text of told.filters) {
    const { cpu: spent, result } = await measured(page, browser, () => page.evaluate(filter, text));
    filters[text] = [...result, spent];
    await painted(page);
  }
  const rows = await page.locator('.page .run').count();
  return { ...start, interactive, cpu, filters, rows };
}));
