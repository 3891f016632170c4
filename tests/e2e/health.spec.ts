import { truncateSync } from 'node:fs';

import { card, expect, test } from './mindviz';
import { appendLog, writeLog, type Point } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

function points(count: number, value: (step: number) => number, from = 0): Point[] {
  return Array.from({ length: count }, (_, i) => ({ tag: 'loss', step: from + i, value: value(from + i), wall_time: 1_700_000_000 + from + i }));
}

test('tells restarts, NaN and damage, and leads to the place in the chart', async ({ page, mindviz }) => {
  writeLog(mindviz.file('fine', NAME), points(50, () => 1));
  writeLog(mindviz.file('nan', NAME), points(50, (step) => (step < 30 ? 1 : NaN)));
  writeLog(mindviz.file('restarted', NAME), points(100, () => 1));
  appendLog(mindviz.file('restarted', NAME), points(30, () => 2, 80));
  const cut = mindviz.file('cut', NAME);
  writeLog(cut, points(50, () => 1));
  truncateSync(cut, 1_000);
  await page.goto(`${mindviz.url}#/health`);
  const findings = page.locator('[data-finding]');
  await expect(page.locator('[data-finding=nan]')).toContainText('loss · step 30');
  await expect(page.locator('[data-finding=restart]')).toContainText('loss · step 80');
  await expect(findings.filter({ hasText: 'fine' })).toHaveCount(0);
  await page.locator('select[name=kind]').selectOption('nan');
  await expect(findings).toHaveCount(1);
  await page.getByRole('link', { name: 'Show in the chart' }).click();
  await expect(page).toHaveURL(/#\/scalar\?.*zoom=/);
  await expect(card(page, 'loss').locator('.line-chart')).toBeVisible();
  await expect(page.locator('.job input:checked')).toHaveCount(1);
});

test('says that all is well, and what to do where no run is chosen', async ({ page, mindviz }) => {
  writeLog(mindviz.file('fine', NAME), points(50, () => 1));
  await page.goto(`${mindviz.url}#/health`);
  await expect(page.getByText('Nothing is wrong with the logs of the chosen runs.')).toBeVisible();
  await page.locator('[data-all]').uncheck();
  await expect(page.getByText('Choose a run to see what is wrong with its log.')).toBeVisible();
});
