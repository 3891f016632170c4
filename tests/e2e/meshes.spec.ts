import type { Locator, Page } from '@playwright/test';

import { expectAccessible, writeKinds } from './kinds';
import { expect, test, writeSweep } from './mindviz';
import { bytes, drawInSpace, painted, withoutWebGl } from './pictures';

drawInSpace();

const cardOf = (page: Page, job: string): Locator => page.locator(`[data-tag="shape"][data-card-job="./${job}"]`);

test('a browser without WebGL is told so, and has the numbers', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await withoutWebGl(page);
  await page.goto(`${mindviz.url}#/mesh`);
  await expect(cardOf(page, 'first')).toContainText('no WebGL');
  await expect(cardOf(page, 'first')).toContainText('4 points · 4 faces');
  await expect(cardOf(page, 'second').getByRole('row').nth(4)).toHaveText('30020 0 144');
  await expectAccessible(page);
});

test('runs without meshes say so', async ({ page, mindviz }) => {
  writeSweep(mindviz.logs, 2);
  await page.goto(`${mindviz.url}#/mesh`);
  await expect(page.locator('[data-empty=page]')).toContainText('no meshes');
});

test('meshes are drawn, and turn together or alone', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/mesh`);
  const [first, second] = [cardOf(page, 'first').locator('canvas'), cardOf(page, 'second').locator('canvas')];
  await expect(first).toHaveAttribute('data-drawn', 'yes');
  await expect(second).toHaveAttribute('data-drawn', 'yes');
  const faces = await painted(first);
  expect(faces).toBeGreaterThan(1000);
  const before = [await bytes(first), await bytes(second)];
  await first.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => bytes(first)).not.toBe(before[0]);
  await expect.poll(() => bytes(second)).not.toBe(before[1]);
  await page.getByRole('button', { name: 'Turn together' }).click();
  const alone = await bytes(second);
  await first.focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => bytes(first)).not.toBe(before[0]);
  expect(await bytes(second)).toBe(alone);
  // What was turned leads back to where it was, alone as together.
  await cardOf(page, 'first').getByRole('button', { name: 'Back to the first view' }).click();
  await expect.poll(() => bytes(first)).toBe(before[0]);
  await expect(cardOf(page, 'first').getByRole('button', { name: 'Back to the first view' })).toHaveCount(0);
  await page.getByRole('button', { name: 'points' }).click();
  await expect.poll(() => painted(first)).toBeLessThan(faces / 4);
  await expectAccessible(page);
});
