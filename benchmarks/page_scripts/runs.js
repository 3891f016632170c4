/** Time until a table of many train jobs is usable, and how long filters take. */
import { printResult, frames, inBrowser, painted, task } from './chromium.js';

/** In the page: record tasks longer than 50 ms, and when the first rows and the total of all jobs were painted. */
function watch(jobs) {
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) globalThis.longTasks.push([startTime, duration]);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    const count = document.querySelector('.page [role=status]')?.textContent ?? '';
    // "100 of 10,000 runs": the first number counts the listed ones.
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

/** In the page: milliseconds from typing the text to painting the rows. */
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

/** CPU time of the main thread during an action, and its result. */
async function measure(page, browser, action) {
  let result;
  const { cpu } = await frames(page, browser, async () => { result = await action(); });
  return { cpu: cpu.reduce((sum, one) => sum + one, 0), result };
}

printResult(await inBrowser(async (page, browser) => {
  await page.addInitScript(watch, task.jobs);
  const { cpu } = await measure(page, browser, async () => {
    await page.goto(task.url, { waitUntil: 'commit' });
    await page.waitForFunction(() => globalThis.completeAt, undefined, { polling: 20 });
  });
  await page.waitForTimeout(task.settling);
  const start = await page.evaluate(() => ({
    drawn: globalThis.drawnAt ?? globalThis.completeAt, complete: globalThis.completeAt, longTasks: globalThis.longTasks,
  }));
  // Interactive once no long task begins within 250 ms.
  let interactive = start.complete;
  for (const [began, lasted] of start.longTasks) {
    if (began < interactive + 250) interactive = Math.max(interactive, began + lasted);
  }
  const filters = {};
  for (const text of task.filters) {
    const { cpu: spent, result } = await measure(page, browser, () => page.evaluate(filter, text));
    filters[text] = [...result, spent];
    await painted(page);
  }
  const rows = await page.locator('.page .run').count();
  return { ...start, interactive, cpu, filters, rows };
}));
