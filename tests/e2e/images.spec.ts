import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { expectAccessible, writeKinds, written } from './kinds';
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
  await page.getByRole('button', { name: 'Step back' }).click();
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
  await expect(cardOf(page, 'first')).toContainText('nothing at step 14');
  await page.getByRole('button', { name: 'Where a run has no value at this step' }).click();
  await page.getByRole('radio', { name: 'previous' }).check();
  await expect(cardOf(page, 'first')).toContainText('Step 10');
  await page.goto(`${mindviz.url}#/image?step=16`);
  await expect(cardOf(page, 'first')).toContainText('Step 20');
});

test('the difference of two runs is shown as numbers and pixels', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/image?reference=.%2Ffirst`);
  await page.getByRole('radio', { name: 'difference' }).click();
  // One of three color channels differs by 10.
  await expect(cardOf(page, 'second')).toContainText('mean 3.33, largest 10 of 255');
  await expect(cardOf(page, 'first')).toContainText('compared with this');
  await page.getByRole('radio', { name: 'side by side' }).click();
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
  await page.getByRole('button', { name: 'actual size' }).click();
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
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.locator('input[name=sample]').fill('1');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/sample=1/);
  await expect.poll(() => pixel(shownCard)).toEqual([20, 0, 0, 255]);
});

test.describe('a missing sample', () => {
  test.use({ failing: true });
  test('shows a message', async ({ page, mindviz }) => {
    written('written_batches', mindviz.logs);
    await page.goto(`${mindviz.url}#/image?sample=7`);
    await expect(card(page, 'batch').getByRole('alert')).toContainText('7');
  });
});

test('data that is no image shows a message in its card', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/image`);
  await expect(cardOf(page, 'first').locator('img')).toBeVisible();
  await page.route(/series\/image\/blob.*train_id=.%2Fsecond/, (route) =>
    route.fulfill({ body: 'no image', contentType: 'image/png' }),
  );
  await page.getByRole('button', { name: 'Step back' }).click();
  await expect(cardOf(page, 'second').getByRole('alert')).toHaveText(
    'The logged image cannot be decoded.',
  );
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
