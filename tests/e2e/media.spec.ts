import { expectAccessible, writeKinds, writePixels, writeText } from './kinds';
import { card, expect, test } from './mindviz';

test('images, audio, texts and meshes are on one page with one step', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/media`);
  const types = page.getByRole('group', { name: 'Types' });
  await expect(types.getByRole('button')).toHaveText(['Images 2', 'Audio 2', 'Text 2', 'Mesh 2']);
  const notes = card(page, 'notes', 'first');
  await expect(notes.getByRole('heading', { name: 'Step 20' })).toBeVisible();
  await expect(card(page, 'shape')).toHaveCount(2);
  await page.keyboard.press('[');
  await expect(notes.getByRole('heading', { name: 'Step 10' })).toBeVisible();
  await expect(card(page, 'speech', 'first')).toContainText('Step 10');
  await expectAccessible(page);
});

test('a row of images is as high as they are', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  const shown = card(page, 'view/camera', 'first');
  const heightOf = async (one: typeof shown): Promise<number> =>
    (await one.boundingBox())?.height ?? NaN;
  const frame = async (): Promise<number> =>
    (await heightOf(shown)) - (await heightOf(shown.locator('img')));
  for (const size of ['', '&size=700']) {
    await page.goto(`${mindviz.url}#/media?tags=camera${size}`);
    await expect.poll(frame).toBeGreaterThan(90);
    await expect.poll(frame).toBeLessThan(110);
  }
});

test('cards of all types are laid out, moved and resized', async ({ page, mindviz }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/media?columns=4`);
  const first = card(page, 'notes', 'first');
  const second = card(page, 'notes', 'second');
  const widthOf = async (shown: typeof first): Promise<number> =>
    (await shown.boundingBox())?.width ?? NaN;
  const usual = await widthOf(first);
  // The run created later comes first: they may be a second apart.
  const handle = page.locator('.placed', { has: first }).locator('.handle');
  await handle.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => widthOf(first)).toBeGreaterThan(1.8 * usual);
  expect(await widthOf(second)).toBe(usual);
  await page.keyboard.press('End');
  await expect(page).toHaveURL(/columns=4/);
  await expect(page).toHaveURL(/cards=/);
  await expect(page).toHaveURL(/sizes=/);
  await page.reload();
  await expect.poll(() => widthOf(first)).toBeGreaterThan(1.8 * usual);
});

test('types select what is shown, and are in the link', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/media`);
  const types = page.getByRole('group', { name: 'Types' });
  await types.getByRole('button', { name: 'Images' }).click();
  await expect(page).toHaveURL(/types=image/);
  await expect(card(page, 'view/camera')).toHaveCount(2);
  await expect(card(page, 'notes')).toHaveCount(0);
  await page.reload();
  await expect(card(page, 'view/camera').first().locator('img')).toBeVisible();
  await expect(card(page, 'notes')).toHaveCount(0);
  await types.getByRole('button', { name: 'Images' }).click();
  await expect(card(page, 'notes')).toHaveCount(2);

  // An image and a text of the same run and tag: only one is in full screen.
  writePixels(mindviz.logs);
  writeText(mindviz.file('pixels'), 'small');
  await page.locator('input[name=tags]').fill('small');
  const text = card(page, 'small', 'pixels').filter({ hasText: 'all is well' });
  await text.getByRole('button', { name: /^Full screen/ }).click();
  await expect(page.locator('article.full')).toHaveCount(1);
  await expect(page.locator('article.full')).toContainText('all is well');
  await page.reload();
  await expect(page.locator('article.full')).toContainText('all is well');
});
