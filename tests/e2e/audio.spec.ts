import { readFileSync } from 'node:fs';

import { expectAccessible, writeKinds, written } from './kinds';
import { card, expect, test } from './mindviz';
import { painted } from './pictures';

test('a clip is drawn, played, looped, downloaded and described', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  written('written_sounds', mindviz.file('labelled'));
  await page.goto(`${mindviz.url}#/audio`);
  const first = card(page, 'speech', 'first');
  await expect(first).toContainText('1s · 8,000 Hz · mono');
  await expect(first.locator('output')).toContainText('/ 1s');
  const position = first.getByRole('slider', { name: 'Position in speech' });
  await expect(position).toHaveAttribute('max', '1');
  await position.fill('0.5');
  await expect(first.locator('output')).toContainText('500ms / 1s');
  await expect.poll(() => painted(first.locator('.wave canvas').first())).toBeGreaterThan(100);
  await first.getByRole('button', { name: 'Play speech' }).click();
  await expect(first.locator('output')).not.toContainText('500ms /');
  // At its end it stops, or starts over in a loop; the URL keeps the playback rate.
  await expect(first.locator('output')).toHaveText('1s / 1s');
  await expect(first.getByRole('button', { name: 'Play speech' })).toBeVisible();
  await page.getByRole('button', { name: 'repeat' }).click();
  await page.locator('select[name=rate]').selectOption('2');
  await expect(page).toHaveURL(/rate=2/);
  await first.getByRole('button', { name: 'Play speech' }).click();
  let turns = 0;
  let before = -1;
  await expect
    .poll(
      async () => {
        const now = Number(await position.inputValue());
        if (now < before) turns++;
        before = now;
        return turns;
      },
      { intervals: [50] },
    )
    .toBeGreaterThan(0);
  await first.getByRole('button', { name: 'Pause' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    first.getByRole('link', { name: 'Download the clip' }).click(),
  ]);
  expect(
    readFileSync(await download.path())
      .subarray(0, 4)
      .toString(),
  ).toBe('RIFF');
  // Descriptions from logs are shown as text, even if they contain HTML.
  await expect(card(page, 'bell').locator('.label')).toHaveText('rung *twice*');
  await expectAccessible(page);
});

test('a missing clip shows a message', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/audio?clip=3`);
  await expect(card(page, 'speech').first()).toContainText('Step 20 has no clip 3.');
});

test('undecodable audio can still be downloaded', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.route(/series\/audio\/blob/, (route) =>
    route.fulfill({ body: 'no sound', contentType: 'audio/wav' }),
  );
  await page.goto(`${mindviz.url}#/audio`);
  const first = card(page, 'speech', 'first');
  await expect(first.getByRole('alert')).toContainText('cannot decode');
  await expect(first.getByRole('link', { name: 'Download the clip' })).toBeVisible();
});
