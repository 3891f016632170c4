import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { expectAccessible, writeKinds, written } from './kinds';
import { expect, test } from './mindviz';
import { bytes, drawInSpace, painted } from './pictures';

drawInSpace();

const cardOf = (page: Page, job: string): Locator =>
  page.locator(`article[aria-label$=" · ${job}"]`);

test('landscapes of one row are as high as a large page', async ({ page, mindviz }) => {
  await page.setViewportSize({ width: 2560, height: 1300 });
  written('written_landscapes', mindviz.logs);
  const heightOf = async (job: string): Promise<number> =>
    (await cardOf(page, job).boundingBox())?.height ?? NaN;
  await page.goto(`${mindviz.url}#/landscape`);
  await expect.poll(() => heightOf('first')).toBeGreaterThan(1000);
  const [first, second] = [cardOf(page, 'first'), cardOf(page, 'second')];
  expect((await first.boundingBox())?.y).toBe((await second.boundingBox())?.y);
  await page.goto(`${mindviz.url}#/landscape?runs=first`);
  await expect.poll(() => heightOf('first')).toBeGreaterThan(1000);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${mindviz.url}#/landscape`);
  await expect.poll(() => heightOf('first')).toBeLessThan(500);
  expect(await heightOf('first')).toBeGreaterThanOrEqual(440);
});

test('a landscape has contours, colors and the training path', async ({ page, mindviz }) => {
  written('written_landscapes', mindviz.logs);
  await page.goto(`${mindviz.url}#/landscape`);
  const first = cardOf(page, 'first');
  await expect(first.locator('canvas')).toHaveAccessibleName(
    'first: loss from 0 to 8, a path of 3 points that ends at 0',
  );
  await expect(first).toContainText('Loss 0 to 8');
  // The tooltip shows exact values, also for keyboard navigation.
  const picture = first.locator('canvas');
  const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + 46, box.y + 8);
  await expect(first.locator('.tip')).toContainText(/x −?[\d.]+, y −?[\d.]+(Loss 8)/);
  await page.mouse.move(0, 0);
  await expect(first.locator('.tip')).toHaveCount(0);
  await picture.focus();
  for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowLeft');
  for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowUp');
  await expect(first.locator('.tip')).toContainText('Loss 8');
  await page.keyboard.press('Escape');
  await expect(first.locator('.tip')).toHaveCount(0);
  const lines = await first
    .locator('canvas')
    .evaluate((element) => (element as HTMLCanvasElement).toDataURL());
  await page.getByRole('radio', { name: 'Topographic' }).click();
  await expect(page).toHaveURL(/show=topographic/);
  await expect
    .poll(() =>
      first.locator('canvas').evaluate((element) => (element as HTMLCanvasElement).toDataURL()),
    )
    .not.toBe(lines);
  await expectAccessible(page);
});

test('colors, path and contours are adjusted and downloaded', async ({ page, mindviz }) => {
  written('written_landscapes', mindviz.logs);
  await page.goto(`${mindviz.url}#/landscape?show=topographic`);
  const first = cardOf(page, 'first');
  const picture = first.locator('canvas');
  await expect.poll(() => painted(picture)).toBeGreaterThan(10_000);
  let before = await bytes(picture);
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.locator('select[name=map]').selectOption('inferno');
  await expect(page).toHaveURL(/map=inferno/);
  await expect.poll(() => bytes(picture)).not.toBe(before);
  expect(await painted(picture, [0, 255, 0])).toBe(0);
  await page.locator('input[name=way]').fill('#00ff00');
  await expect.poll(() => painted(picture, [0, 255, 0])).toBeGreaterThan(50);
  for (const [name, value] of [
    ['width', '6'],
    ['lines', '40'],
  ] as const) {
    before = await bytes(picture);
    await page.locator(`input[name=${name}]`).fill(value);
    await expect.poll(() => bytes(picture), name).not.toBe(before);
  }
  // In a small window, the settings cover the card's head.
  await page.keyboard.press('Escape');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    first.getByRole('button', { name: /^Download as PNG/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('first_landscape.png');
  expect(
    readFileSync(await download.path())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  await expectAccessible(page);
});

test('the path is shown step by step, by slider or playing', async ({ page, mindviz }) => {
  written('written_landscapes', mindviz.logs);
  await page.goto(`${mindviz.url}#/landscape?until=0`);
  const first = cardOf(page, 'first');
  await expect(first).toContainText('Step 1: loss 2');
  await page.locator('input[name=until]').fill('60');
  await expect(first).toContainText('Step 5: loss 0.5');
  await page.getByRole('button', { name: 'Play the path' }).click();
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await expect(first).toContainText('Step 9: loss 0');
  await expect(page.getByRole('button', { name: 'Play the path' })).toBeVisible();
  // After playing to the end the default view returns.
  await expect(page).not.toHaveURL(/until=/);
});

test('a 3D landscape has light, opacity, rotation and tooltips', async ({ page, mindviz }) => {
  written('written_landscapes', mindviz.logs);
  await page.goto(`${mindviz.url}#/landscape?show=space&way=00ff00`);
  const picture = cardOf(page, 'first').locator('canvas');
  await expect(picture).toHaveAttribute('data-drawn', 'yes');
  await expect.poll(() => painted(picture, [0, 255, 0])).toBeGreaterThan(20);
  // Axes have names and ends.
  await expect(cardOf(page, 'first').locator('.host .label')).toContainText(['x', 'y', 'Loss']);
  await page.getByRole('button', { name: 'More settings' }).click();
  // The tooltip shows the nearest grid point, as in 2D.
  const { x, y, width, height } = (await picture.boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  const tip = cardOf(page, 'first').locator('.tip');
  await expect(async () => {
    await page.mouse.move(x + width / 2, y + height * 0.55);
    await page.mouse.move(x + width / 2, y + height * 0.56);
    await expect(tip).toContainText(/^x −?[\d.]+, y −?[\d.]+(Step \d: l|L)oss [\d.]+$/, {
      timeout: 500,
    });
  }).toPass();
  const [u = NaN, v = NaN, loss = NaN] =
    ((await tip.textContent()) ?? '')
      .replaceAll('−', '-')
      .match(/-?\d+(\.\d+)?(?!:)/g)
      ?.map(Number) ?? [];
  expect(loss).toBeCloseTo(u * u + v * v, 3);
  await page.mouse.move(x + 4, y + 4);
  await expect(tip).toHaveCount(0);
  for (const [name, value] of [
    ['opacity', '40'],
    ['light', '30'],
  ] as const) {
    const before = await bytes(picture);
    await page.locator(`input[name=${name}]`).fill(value);
    await expect.poll(() => bytes(picture)).not.toBe(before);
  }
  const before = await bytes(picture);
  await picture.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => bytes(picture)).not.toBe(before);
  await expect(page).toHaveURL(/cam=[-.\d,]+$/);
  const turned = await bytes(picture);
  await page.reload();
  await expect.poll(() => bytes(picture)).toBe(turned);
  await picture.focus();
  await page.keyboard.press('0');
  await expect.poll(() => bytes(picture)).toBe(before);
  // Both runs are in one picture, in their colors.
  await page.locator('select[name=compare]').selectOption('overlay');
  await expect(page.locator('article').getByRole('img').first()).toHaveAccessibleName(
    /(first|second): .*; (first|second): /,
  );
});

test('the final landscape, and the path as a table', async ({ page, mindviz }) => {
  written('written_landscapes', mindviz.logs);
  await page.goto(`${mindviz.url}#/landscape?as=table`);
  await expect(cardOf(page, 'first').getByRole('row').nth(3)).toHaveText('9000');
  const plane = cardOf(page, 'first').getByRole('group', { name: /^Loss: / });
  await expect(plane.getByRole('columnheader')).toHaveText([
    'y \\ x',
    '−2',
    '−1.8',
    ...Array.from({ length: 19 }, () => /^−?[\d.]+$/),
  ]);
  await expect(plane.getByRole('row').nth(2)).toHaveText(/^1\.87\.246\.48/);
  await page.locator('select[name=interval]').selectOption('final');
  await expect(cardOf(page, 'first')).toContainText('Convergence point');
  await expect(cardOf(page, 'second')).toContainText('no such landscape');
});

test('landscapes of several runs are compared in one picture', async ({ page, mindviz }) => {
  written('written_landscapes', mindviz.logs);
  await page.goto(`${mindviz.url}#/landscape`);
  await expect(cardOf(page, 'second')).toBeVisible();
  await page.locator('select[name=compare]').selectOption('overlay');
  await expect(page.locator('article').getByRole('img')).toHaveAccessibleName(
    /^(first|second): loss from 0 to 11.*; (first|second): /,
  );
  // The table has a column for every known fact.
  const facts = page.getByRole('group', { name: 'Training settings' });
  await expect(facts.getByRole('columnheader')).toContainText([
    'Run',
    'Directions',
    'Unit',
    'Steps per epoch',
  ]);
  await expect(facts.getByRole('row').filter({ hasText: 'second' })).toContainText('Steps');
  // One kind of card needs no heading.
  await expect(page.getByText('Ungrouped')).toHaveCount(0);
  await expectAccessible(page);
});

test('without WebGL a message is shown', async ({ page, mindviz }) => {
  written('written_landscapes', mindviz.logs);
  await page.goto(`${mindviz.url}#/landscape?show=space`);
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await page.reload();
  await expect(cardOf(page, 'first')).toContainText('3D needs WebGL');
});

test('runs without landscapes show a message', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/landscape`);
  await expect(page.locator('.empty')).toContainText('No loss landscapes');
});
