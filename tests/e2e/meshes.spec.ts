import type { Locator, Page } from '@playwright/test';

import { expectAccessible, writeKinds, written } from './kinds';
import { card, expect, test, writeSweep } from './mindviz';
import { bytes, drawInSpace, painted, withoutWebGl } from './pictures';

drawInSpace();

const cardOf = (page: Page, job: string): Locator => card(page, 'shape', job);

test('without WebGL the numbers are shown', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await withoutWebGl(page);
  await page.goto(`${mindviz.url}#/mesh`);
  await expect(cardOf(page, 'first')).toContainText('WebGL is unavailable');
  await expect(cardOf(page, 'first')).toContainText('4 points · 4 faces');
  await expect(cardOf(page, 'second').getByRole('row').nth(4)).toHaveText('30020 0 144');
  await expectAccessible(page);
});

test('runs without meshes show a message', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 2);
  await page.goto(`${mindviz.url}#/mesh`);
  await expect(page.locator('.empty')).toContainText('No meshes');
});

test('meshes are drawn and rotate together or alone', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/mesh`);
  const [first, second] = [
    cardOf(page, 'first').locator('canvas'),
    cardOf(page, 'second').locator('canvas'),
  ];
  await expect(first).toHaveAttribute('data-drawn', 'yes');
  await expect(second).toHaveAttribute('data-drawn', 'yes');
  const faces = await painted(first);
  expect(faces).toBeGreaterThan(1000);
  const before = [await bytes(first), await bytes(second)];
  await first.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => bytes(first)).not.toBe(before[0]);
  await expect.poll(() => bytes(second)).not.toBe(before[1]);
  // Once the camera stops, the URL keeps it; undo restores the previous one.
  await expect(page).toHaveURL(/cam=[-.\d]+,1\.1,[-.\d]+$/);
  const turned = [await bytes(first), await bytes(second)];
  await page.keyboard.press('Control+z');
  await expect(page).not.toHaveURL(/cam=/);
  await expect.poll(() => bytes(first)).toBe(before[0]);
  await page.keyboard.press('Control+Shift+z');
  await expect(page).toHaveURL(/cam=/);
  await page.reload();
  await expect.poll(async () => [await bytes(first), await bytes(second)]).toEqual(turned);
  await page.getByRole('button', { name: 'Link cameras' }).click();
  // With separate cameras each mesh starts with the default view.
  const alone = before[1];
  await expect.poll(() => bytes(second)).toBe(alone);
  await first.focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => bytes(first)).not.toBe(before[0]);
  expect(await bytes(second)).toBe(alone);
  await expect(page).toHaveURL(/cam=.*@shape@first/);
  // A rotated mesh can be reset, alone and together.
  await cardOf(page, 'first').getByRole('button', { name: 'Reset view' }).click();
  await expect.poll(() => bytes(first)).toBe(before[0]);
  await expect(cardOf(page, 'first').getByRole('button', { name: 'Reset view' })).toHaveCount(0);
  await page.getByRole('radio', { name: 'Points' }).click();
  await expect.poll(() => painted(first)).toBeLessThan(faces / 4);
  await expectAccessible(page);
});

test('a mesh uses the logged camera and material', async ({ page, mindviz }) => {
  written('written_meshes', mindviz.logs, 'lit');
  await page.goto(`${mindviz.url}#/mesh`);
  const card = cardOf(page, 'lit');
  const picture = card.locator('canvas');
  await expect(picture).toHaveAttribute('data-drawn', 'yes');
  // The logged camera is far away; a reset after rotating returns to it.
  await expect.poll(() => painted(picture, [255, 0, 0])).toBeGreaterThan(100);
  const far = await painted(picture, [255, 0, 0]);
  expect(far).toBeLessThan(10_000);
  await picture.focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press('+');
  await expect.poll(() => painted(picture, [255, 0, 0])).toBeGreaterThan(2 * far);
  await card.getByRole('button', { name: 'Reset view' }).click();
  await expect.poll(() => painted(picture, [255, 0, 0])).toBe(far);
  // The mesh of the previous step is half as large, so it is relatively twice as far away.
  await page.getByRole('button', { name: 'Previous step' }).click();
  await expect(card).toContainText('Step 0');
  await expect.poll(() => painted(picture, [255, 0, 0])).not.toBe(far);
});

test('a mesh can have an orthographic camera', async ({ page, mindviz }) => {
  written('written_meshes', mindviz.logs, 'near', 'far');
  await page.goto(`${mindviz.url}#/mesh`);
  const [near, far] = [
    cardOf(page, 'near').locator('canvas'),
    cardOf(page, 'far').locator('canvas'),
  ];
  for (const picture of [near, far]) await expect(picture).toHaveAttribute('data-drawn', 'yes');
  await expect.poll(() => painted(near, [255, 0, 0])).toBeGreaterThan(1000);
  // A square of half the height of the picture, at any distance.
  const high = (await near.boundingBox())?.height ?? NaN;
  const seen = await painted(near, [255, 0, 0]);
  expect(Math.abs(seen / (high / 2) ** 2 - 1)).toBeLessThan(0.05);
  expect(await painted(far, [255, 0, 0])).toBe(seen);
  await near.focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('-');
  await expect.poll(() => painted(near, [255, 0, 0])).toBeLessThan(0.6 * seen);
});

test('one mesh of a batch can be selected', async ({ page, mindviz }) => {
  written('written_batches', mindviz.logs);
  await page.goto(`${mindviz.url}#/mesh?as=table`);
  const card = cardOf(page, 'meshes');
  await expect(card.getByRole('row').nth(2)).toHaveText('1100');
  await card.getByRole('button', { name: 'Next sample' }).click();
  await expect(card.getByRole('row').nth(2)).toHaveText('1300');
  await page.reload();
  await expect(card.getByRole('row').nth(2)).toHaveText('1300');
});

test('points have the logged colors', async ({ page, mindviz }) => {
  written('written_meshes', mindviz.logs, 'cloud');
  await page.goto(`${mindviz.url}#/mesh`);
  const picture = cardOf(page, 'cloud').locator('canvas');
  await expect.poll(() => painted(picture, [0, 255, 0])).toBeGreaterThan(1000);
  expect(await painted(picture, [0, 0, 255])).toBeGreaterThan(1000);
  await page.getByRole('radio', { name: 'Table' }).click();
  await expect(cardOf(page, 'cloud').getByRole('row').nth(1)).toContainText('0 255 0');
});

test('a mesh of 500,000 points is drawn and the page stays responsive', async ({
  page,
  mindviz,
}) => {
  test.slow();
  written('written_meshes', mindviz.logs, 'large');
  await page.goto(`${mindviz.url}#/mesh`);
  const card = cardOf(page, 'large');
  await expect(card).toContainText('501k points · 1M faces', { timeout: 30_000 });
  await expect(card.locator('canvas')).toHaveAttribute('data-drawn', 'yes', { timeout: 30_000 });
  await expect.poll(() => painted(card.locator('canvas'))).toBeGreaterThan(5000);
  await page.getByRole('radio', { name: 'Table' }).click();
  await expect(card).toContainText('First 20k points');
});
