import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { expectAccessible, writeKinds, written, writePixels } from './kinds';
import { card, expect, test } from './mindviz';

const cardOf = (page: Page, job: string): Locator => card(page, 'view/camera', job);

/** The color of a pixel of a card's image, as decoded by the browser. */
function pixel(shownCard: Locator): Promise<number[]> {
  return shownCard.locator('img').evaluate((image: HTMLImageElement) => {
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
  });
}

test('one slider reaches every step of every image', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/image`);
  const [first, second] = [cardOf(page, 'first'), cardOf(page, 'second')];
  await expect(first.locator('img')).toBeVisible();
  await expect(first).toContainText('12 × 8');
  await expect(first.getByRole('link', { name: /Download/ })).toHaveAttribute(
    'href',
    /series\/image\/blob/,
  );
  expect(await pixel(first)).toEqual([20, 200, 0, 255]);
  await page.getByRole('button', { name: 'Previous step' }).click();
  await expect(second).toContainText('Step 10');
  await expect.poll(() => pixel(second)).toEqual([20, 200, 0, 255]);
  await expect.poll(() => pixel(first)).toEqual([10, 200, 0, 255]);
  await expect(page).toHaveURL(/step=10/);
  await expectAccessible(page);
  await page.keyboard.press(']');
  await expect.poll(() => pixel(first)).toEqual([20, 200, 0, 255]);
  await page.keyboard.press('[');
  await page.keyboard.press('[');
  await expect.poll(() => pixel(first)).toEqual([0, 200, 0, 255]);
});

test('at a step that a run lacks, the step rule decides what is shown', async ({
  page,
  mindviz,
}) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/image?step=14&align=exact`);
  await expect(cardOf(page, 'first')).toContainText('No data at step 14');
  await page.getByRole('button', { name: 'If a run has no value at this step, show' }).click();
  await page.getByRole('radio', { name: 'Previous step' }).check();
  await expect(cardOf(page, 'first')).toContainText('Step 10');
  await page.goto(`${mindviz.url}#/image?step=16`);
  await expect(cardOf(page, 'first')).toContainText('Step 20');
});

test('the difference of two runs is shown as numbers and pixels', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/image?reference=.%2Ffirst`);
  await page.getByRole('radio', { name: 'Difference' }).click();
  // One of three color channels differs by 10.
  await expect(cardOf(page, 'second')).toContainText('Mean difference 3.33, max 10 (0–255)');
  await expect(cardOf(page, 'first')).toContainText('Baseline');
  await page.getByRole('radio', { name: 'Side by side' }).click();
  await expect(page.locator('.beside img')).toHaveCount(2);
});

test('images are brightened, shown at their size, and downloaded', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/image`);
  const first = cardOf(page, 'first');
  const image = first.locator('img');
  await expect(image).toBeVisible();
  expect((await image.boundingBox())?.width).toBeGreaterThan(100);
  await page.getByRole('button', { name: 'More settings' }).click();
  for (const name of ['brightness', 'contrast'])
    await page.locator(`input[name=${name}]`).fill('150');
  await expect(image).toHaveCSS('filter', 'brightness(1.5) contrast(1.5)');
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(image).toHaveCSS('filter', 'none');
  await page.getByRole('button', { name: 'Actual size' }).click();
  await expect.poll(async () => image.boundingBox()).toMatchObject({ width: 12, height: 8 });
  await page.keyboard.press('Escape');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    first.getByRole('link', { name: /Download/ }).click(),
  ]);
  expect(
    readFileSync(await download.path())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
});

test('one of several images per step can be selected', async ({ page, mindviz }) => {
  written('written_batches', mindviz.logs);
  await page.goto(`${mindviz.url}#/image`);
  const shownCard = card(page, 'batch');
  await expect(shownCard.locator('img')).toBeVisible();
  expect(await pixel(shownCard)).toEqual([10, 0, 0, 255]);
  const pager = shownCard.getByRole('group', { name: 'Image 1 of 2' });
  await expect(pager).toHaveText('1/2');
  await pager.getByRole('button', { name: 'Next sample' }).click();
  await expect(page).toHaveURL(/sample=1(@|%40)batch/);
  await expect.poll(() => pixel(shownCard)).toEqual([20, 0, 0, 255]);
  await expect(shownCard.getByRole('button', { name: 'Next sample' })).toBeDisabled();
  await expectAccessible(page);
});

test('a sample beyond the last shows the last', async ({ page, mindviz }) => {
  written('written_batches', mindviz.logs);
  writeKinds(mindviz.logs);
  // A link without a tag is for all of them.
  await page.goto(`${mindviz.url}#/image?sample=7`);
  const shownCard = card(page, 'batch');
  await expect(shownCard.getByRole('group', { name: 'Image 2 of 2' })).toBeVisible();
  expect(await pixel(shownCard)).toEqual([20, 0, 0, 255]);
  await expect(cardOf(page, 'first').locator('img')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('images are smoothed when shrunk and pixelated when enlarged', async ({ page, mindviz }) => {
  writePixels(mindviz.logs);
  await page.goto(`${mindviz.url}#/image`);
  await expect(card(page, 'small').locator('img')).toHaveCSS('image-rendering', 'pixelated');
  await expect(card(page, 'large').locator('img')).toHaveCSS('image-rendering', 'auto');
});

test('rows are as high as their images, in cards of a selected size', async ({ page, mindviz }) => {
  writePixels(mindviz.logs);
  await page.goto(`${mindviz.url}#/image?tags=large`);
  const image = card(page, 'large').locator('img');
  await expect(image).toBeVisible();
  // The log's image is twice as wide as high.
  const box = async (): Promise<{ width: number; height: number }> =>
    (await image.boundingBox()) ?? { width: 0, height: 0 };
  const small = await box();
  expect(small.width / small.height).toBeCloseTo(2, 1);
  await page.locator('input[name=size]').fill('700');
  await expect(page).toHaveURL(/size=700/);
  await expect.poll(async () => (await box()).width).toBeGreaterThan(600);
  const frame = (await card(page, 'large').boundingBox())?.height ?? 0;
  expect(frame - (await box()).height).toBeLessThan(120);
});

test('in full screen an image is zoomed, moved and stepped', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/image`);
  const first = cardOf(page, 'first');
  await first.getByRole('button', { name: 'Full screen' }).click();
  const image = first.locator('img');
  const width = async (): Promise<number> => (await image.boundingBox())?.width ?? 0;
  const left = async (): Promise<number> => (await image.boundingBox())?.x ?? 0;
  const fitted = await width();
  await page.mouse.move(720, 430);
  await page.mouse.wheel(0, -300);
  await expect.poll(width).toBeGreaterThan(fitted * 1.5);
  const before = await left();
  await page.mouse.down();
  await page.mouse.move(620, 430, { steps: 2 });
  await page.mouse.up();
  await expect.poll(left).toBeCloseTo(before - 100, 0);
  await page.mouse.dblclick(720, 430);
  await expect.poll(width).toBeCloseTo(fitted, 0);
  await first.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(width).toBeCloseTo(fitted * 1.5, 0);
  await first.getByRole('group', { name: 'view/camera of first' }).press('0');
  await expect.poll(width).toBeCloseTo(fitted, 0);
  await first.locator('input[name=step]').press('Home');
  await expect(first).toContainText('Step 0');
  await expect.poll(() => pixel(first)).toEqual([0, 200, 0, 255]);
  await expectAccessible(page);
});

test('two fingers zoom in full screen', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/image`);
  const first = cardOf(page, 'first');
  await first.getByRole('button', { name: 'Full screen' }).click();
  const image = first.locator('img');
  const width = async (): Promise<number> => (await image.boundingBox())?.width ?? 0;
  const fitted = await width();
  const touch = await page.context().newCDPSession(page);
  const fingers = (type: string, apart: number): Promise<unknown> =>
    touch.send('Input.dispatchTouchEvent', {
      type: type as 'touchStart',
      touchPoints:
        type === 'touchEnd'
          ? []
          : [
              { x: 720 - apart, y: 430, id: 0 },
              { x: 720 + apart, y: 430, id: 1 },
            ],
    });
  await fingers('touchStart', 50);
  await fingers('touchMove', 100);
  await fingers('touchEnd', 0);
  await expect.poll(width).toBeGreaterThan(fitted * 1.8);
});

test('data that is no image shows a message in its card', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/image`);
  await expect(cardOf(page, 'first').locator('img')).toBeVisible();
  await page.route(/series\/image\/blob.*train_id=.%2Fsecond/, (route) =>
    route.fulfill({ body: 'no image', contentType: 'image/png' }),
  );
  await page.getByRole('button', { name: 'Previous step' }).click();
  await expect(cardOf(page, 'second').getByRole('alert')).toHaveText('Unsupported image format');
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await expect(cardOf(page, 'first').locator('img')).toBeVisible();
});

test('a base dir without images shows what to do', async ({ page, mindviz }) => {
  mkdirSync(mindviz.file('text'), { recursive: true });
  writeFileSync(mindviz.file('text', 'readme.txt'), 'no log');
  await page.goto(`${mindviz.url}#/image`);
  await expect(page.locator('.empty')).toBeVisible();
  await expectAccessible(page);
});
