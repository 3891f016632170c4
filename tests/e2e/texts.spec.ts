import type { Locator, Page } from '@playwright/test';

import { expectAccessible, writeKinds } from './kinds';
import { card, expect, test } from './mindviz';

const cardOf = (page: Page, job: string): Locator => card(page, 'notes', job);

test('Markdown is rendered without running anything in it', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/text`);
  const first = cardOf(page, 'first');
  await expect(first.getByRole('heading', { name: 'Step 20' })).toBeVisible();
  await expect(first.locator('strong')).toHaveText('bold');
  await expect(first.getByRole('listitem')).toHaveText('job first');
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  await expect(first.locator('script')).toHaveCount(0);
  await page.getByRole('radio', { name: 'Source' }).click();
  await expect(first).toContainText('<script>window.ran = 1</script>');
  await expectAccessible(page);
  // A hovered card highlights its run, until it moves away from the pointer.
  await first.hover();
  await expect(page.locator('.job.lit')).toHaveCount(1);
  await page.keyboard.press('/');
  await page.keyboard.type('nothing like it');
  await expect(first).toHaveCount(0);
  await expect(page.locator('.job.lit')).toHaveCount(0);
});

test('changes since the previous step are shown line by line', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/text?show=changes&step=10`);
  const second = cardOf(page, 'second');
  await expect(second).toContainText('1 line added, 1 removed since step 0');
  await expect(second.locator('.removed')).toContainText('# Step 0');
  await expect(second.locator('.added')).toContainText('# Step 10');
  await page.getByRole('button', { name: 'Previous step' }).click();
  await expect(second).toContainText('First step; nothing to compare with.');
});
