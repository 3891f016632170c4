import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, Mindviz, test } from './mindviz';
import { writeLog } from './tiny_writer';

const POINTS = [{ tag: 'loss', step: 0, value: 1, wall_time: 1_700_000_000 }];

test('several experiments have pages and a switch between them', async ({ page }) => {
  const other = mkdtempSync(join(tmpdir(), 'mindviz-e2e-other-'));
  writeLog(join(other, 'big_run', 'events.out.tfevents.1700000000.host'), POINTS);
  const mindviz = await Mindviz.start({ arguments: ['--summary-base-dir', `big=${other}`] });
  writeLog(mindviz.file('small_run', 'events.out.tfevents.1700000000.host'), POINTS);
  try {
    await page.goto(`${mindviz.url}#/runs`);
    const choice = page.getByLabel('Experiment', { exact: true });
    await expect(choice.locator('option')).toHaveText(['logs', 'big']);
    await expect(page.locator('.run')).toContainText('small_run');
    await choice.selectOption('big');
    await expect(page).toHaveURL(/\/experiment\/big\/#/);
    await expect(page.locator('.base')).toHaveText(other);
    await expect(page.locator('.run')).toContainText('big_run');
    await expect(choice).toHaveValue('../big/');
    await choice.selectOption('logs');
    await expect(page).toHaveURL(/\/experiment\/logs\/#/);
    await expect(page.locator('.base')).toHaveText(mindviz.logs);
    await page.goto('about:blank');
  } finally {
    await mindviz.stop();
    rmSync(other, { recursive: true, force: true });
  }
});

test('one experiment needs no switch', async ({ page, mindviz }) => {
  const listed = page.waitForResponse(/\/experiments$/);
  await page.goto(`${mindviz.url}#/scalar`);
  await (await listed).finished();
  // Received data is rendered with the next frame.
  await page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(done));
      }),
  );
  await expect(page.locator('.brand')).toBeVisible();
  await expect(page.locator('.experiments')).toHaveCount(0);
});
