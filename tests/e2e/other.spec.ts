import { readFileSync } from 'node:fs';

import { expectAccessible, writeInvention } from './kinds';
import { expect, test } from './mindviz';
import { writeLog } from './tiny_writer';

test('data of a plugin that nobody knows is a table of its columns, and blobs to download', async ({ page, mindviz }) => {
  writeInvention(mindviz.logs);
  await page.goto(`${mindviz.url}#/other`);
  const matrix = page.locator('[data-tag="matrix"]');
  await expect(matrix).toContainText('acme');
  await expect(matrix.getByRole('row').nth(2)).toHaveText('2[2,2]DT_INT64');
  const parts = page.locator('[data-tag="parts"]');
  await expect(parts.getByRole('row').nth(1)).toHaveText('1[2][3,8]');
  const [download] = await Promise.all([
    page.waitForEvent('download'), parts.getByRole('link', { name: '2 (8 B)' }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8')).toBe('number 2');
  await expectAccessible(page);
});

test('where every kind has a page of its own, it says so', async ({ page, mindviz }) => {
  writeLog(mindviz.file('run', 'events.out.tfevents.1'), [{ tag: 'loss', step: 1, value: 0.5, wall_time: 1e9 }]);
  await page.goto(`${mindviz.url}#/other`);
  await expect(page.locator('[data-empty="page"]')).toContainText('a page of its own');
});
