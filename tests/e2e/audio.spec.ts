import { readFileSync } from 'node:fs';

import { expectAccessible, writeKinds, written } from './kinds';
import { card, expect, test } from './mindviz';
import { painted } from './pictures';

test('a clip is drawn, played, looped, downloaded and described', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  written('written_sounds', mindviz.file('labelled'));
  await page.goto(`${mindviz.url}#/audio`);
  const first = card(page, 'speech', 'first');
  await expect(first).toContainText('0:01 · 8 kHz · mono');
  await expect(first.locator('output')).toContainText('/ 0:01');
  const position = first.getByRole('slider', { name: 'Position in speech' });
  await expect(position).toHaveAttribute('max', '1');
  await position.fill('0.5');
  await expect(first.locator('output')).toContainText('0:00.5 / 0:01');
  await expect.poll(() => painted(first.locator('.wave canvas').first())).toBeGreaterThan(100);
  await first.getByRole('button', { name: 'Play speech' }).click();
  await expect(first.locator('output')).not.toContainText('0:00.5 /');
  // At its end it stops, or starts over in a loop; the URL keeps the playback rate.
  await expect(first.locator('output')).toHaveText('0:01 / 0:01');
  await expect(first.getByRole('button', { name: 'Play speech' })).toBeVisible();
  await page.getByRole('button', { name: 'Repeat' }).click();
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
    first.getByRole('link', { name: 'Download clip' }).click(),
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

test('clips of a step have a pager, and a clip beyond the last is the last', async ({
  page,
  mindviz,
}) => {
  written('written_sounds', mindviz.file('labelled'));
  await page.goto(`${mindviz.url}#/audio?clip=3`);
  const chord = card(page, 'chord');
  await expect(chord.getByRole('group', { name: 'Clip 2 of 2' })).toHaveText('2/2');
  await expect(chord.locator('output').first()).toContainText('/ 0:02');
  await expect(card(page, 'bell').locator('.label')).toHaveText('rung *twice*');
  await chord.getByRole('button', { name: 'Previous sample' }).click();
  await expect(page).toHaveURL(/clip=.*0(@|%40)chord/);
  await expect(chord.locator('output').first()).toContainText('/ 0:01');
  await expect(chord).toContainText('0:01 · 8 kHz · mono');
});

test('undecodable audio can still be downloaded', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.route(/series\/audio\/blob/, (route) =>
    route.fulfill({ body: 'no sound', contentType: 'audio/wav' }),
  );
  await page.goto(`${mindviz.url}#/audio`);
  const first = card(page, 'speech', 'first');
  await expect(first.getByRole('alert')).toContainText('Unsupported audio format');
  await expect(first.getByRole('link', { name: 'Download clip' })).toBeVisible();
});
