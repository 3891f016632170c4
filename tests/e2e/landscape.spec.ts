import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

import { expect, test } from './mindviz';
import { writeLog } from './tiny_writer';

const ROOT = resolve(__dirname, '../..');

test('landscapes of runs stand beside each other, as lines, heights or surfaces, with the path', async ({ page, mindviz }) => {
  const python = process.env['MINDVIZ_PYTHON'] ?? resolve(ROOT, '.venv/bin/python');
  execFileSync(python, ['-m', 'tests.e2e.written_landscapes', mindviz.logs], { cwd: ROOT });
  await page.goto(`${mindviz.url}#/landscape`);
  const pictures = page.locator('[data-landscape]');
  await expect(pictures).toHaveCount(2);
  await expect(page.getByRole('img', { name: /^Loss landscape of a: loss from 4 to 5, 0 points/ })).toBeVisible();
  await page.locator('select[name=interval]').selectOption({ index: 1 });
  await expect(page.getByRole('img', { name: /^Loss landscape of b: loss from 5 to 6, 3 points/ })).toBeVisible();
  for (const shape of ['topographic', 'surface']) {
    await page.locator(`[data-shape=${shape}]`).click();
    await expect(page).toHaveURL(new RegExp(`shape=${shape}`));
    await expect(pictures).toHaveCount(2);
  }
});

test('says so where no run has one', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', 'events.out.tfevents.1700000000.host'), [{ tag: 'loss', step: 0, value: 1, wall_time: 1_700_000_000 }]);
  await page.goto(`${mindviz.url}#/landscape`);
  await expect(page.getByText('The chosen runs have no loss landscape.')).toBeVisible();
});
