import type { Page } from '@playwright/test';

import { written } from './kinds';
import { card, expect, test, writeSweep } from './mindviz';
import { points, writeLog } from './tiny_writer';

/** The number of A4 pages, once all charts are drawn. */
async function printed(page: Page): Promise<number> {
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  return Math.max(...[...pdf.matchAll(/\/Count (\d+)/g)].map(([, count]) => Number(count)));
}

test('a printed page ends between rows of cards', async ({ page, mindviz }) => {
  writeLog(
    mindviz.file('run', 'events.out.tfevents.1700000000.host'),
    [...'abcde'].flatMap((section) => [...'xy'].flatMap((tag) => points(`${section}/${tag}`, 5))),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  await page.emulateMedia({ media: 'print' });
  await expect(card(page, 'e/y').locator('.line-chart')).toBeVisible();
  // The first page has room for four of five rows.
  expect(await printed(page)).toBe(2);
});

test('charts with long legends keep their height on paper', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 48);
  await mindviz.loaded(48);
  await page.goto(`${mindviz.url}#/scalar?runs=*&by=lr`);
  await page.emulateMedia({ media: 'print' });
  const chart = card(page, 'accuracy');
  await expect(chart.locator('.legend li')).toHaveCount(48);
  expect(await printed(page)).toBe(1);
});

test('large tensors begin below the heading of the page', async ({ page, mindviz }) => {
  written('written_matrix', mindviz.logs);
  await page.goto(`${mindviz.url}#/tensor`);
  await page.emulateMedia({ media: 'print' });
  await expect(card(page, 'weights').getByRole('row')).toHaveCount(61);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  // One of the tensor alone would need two pages.
  expect(await printed(page)).toBe(2);
});

test('issues print without links, each on one page', async ({ page, mindviz }) => {
  writeLog(
    mindviz.file('run', 'events.out.tfevents.1700000000.host'),
    points('loss', 5, () => NaN),
  );
  await mindviz.loaded(1);
  await page.goto(`${mindviz.url}#/health`);
  const issue = page.locator('main article').first();
  const show = issue.getByRole('link', { name: 'Show' });
  await expect(show).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(show).toBeHidden();
  expect(await issue.evaluate((one) => getComputedStyle(one).breakInside)).toBe('avoid');
});
