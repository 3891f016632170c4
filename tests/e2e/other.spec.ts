import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expectAccessible, writeInvention } from './kinds';
import { card, expect, Mindviz, ROOT, test } from './mindviz';
import { writeLog } from './tiny_writer';

test('data of an unknown plugin is a table with blobs to download', async ({ page, mindviz }) => {
  writeInvention(mindviz.logs);
  await page.goto(`${mindviz.url}#/other`);
  const matrix = card(page, 'matrix');
  await expect(matrix).toContainText('acme');
  await expect(matrix.getByRole('row').nth(2)).toHaveText('2[2, 2]int64[[2, 2], [2, 2]]');
  const parts = card(page, 'parts');
  await expect(parts.getByRole('row').nth(1)).toHaveText('1[2]3 B, 8 B');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    parts.getByRole('link', { name: '2 (8 B)' }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8')).toBe('number 2');
  const [tensor] = await Promise.all([
    page.waitForEvent('download'),
    matrix.getByRole('link', { name: 'Download step 2 as .npy' }).click(),
  ]);
  expect(
    readFileSync(await tensor.path())
      .subarray(1, 6)
      .toString(),
  ).toBe('NUMPY');
  await expectAccessible(page);
});

test('a note appears if every kind of data has its own page', async ({ page, mindviz }) => {
  writeLog(mindviz.file('run', 'events.out.tfevents.1'), [
    { tag: 'loss', step: 1, value: 0.5, wall_time: 1e9 },
  ]);
  await page.goto(`${mindviz.url}#/other`);
  await expect(page.locator('.empty')).toContainText('No other data');
});

/** A folder as installed by pip: a distribution with the documentation's example plugin. */
function installPlugin(): string {
  const site = mkdtempSync(join(tmpdir(), 'mindviz-site-'));
  const example =
    /^```python\n(.*?)^```/ms.exec(
      readFileSync(join(ROOT, 'docs/adding-a-plugin.md'), 'utf8'),
    )?.[1] ?? '';
  const metadata = join(site, 'acme-1.0.dist-info');
  mkdirSync(metadata);
  writeFileSync(join(site, 'acme.py'), example);
  writeFileSync(join(metadata, 'METADATA'), 'Name: acme\nVersion: 1.0\n');
  writeFileSync(join(metadata, 'entry_points.txt'), '[mindviz.plugins]\nbest = acme:PLUGIN\n');
  return site;
}

test('derived data of an installed plugin is shown', async ({ page }) => {
  const site = installPlugin();
  const mindviz = await Mindviz.start({ env: { PYTHONPATH: site } });
  try {
    writeLog(
      mindviz.file('run', 'events.out.tfevents.1'),
      [4, 2, 8].map((value, step) => ({ tag: 'loss', step, value, wall_time: 1e9 + step })),
    );
    await page.goto(`${mindviz.url}#/other`);
    const best = card(page, 'loss');
    await expect(best).toContainText('best');
    await expect(best.getByRole('row')).toHaveText(['StepValue', '04', '12', '22']);
  } finally {
    await page.goto('about:blank'); // or it reports that the server is gone
    await mindviz.stop();
    rmSync(site, { recursive: true });
  }
});
