import type { Locator, Page } from '@playwright/test';

import { expectAccessible, writeKinds, written } from './kinds';
import { expect, test } from './mindviz';

const cardOf = (page: Page, job: string): Locator => page.locator(`[data-card-job="./${job}"]`);

test('a landscape is drawn by lines and by colours, with the way of training', async ({ page, mindviz }) => {
  written('written_landscapes', mindviz.logs);
  await page.goto(`${mindviz.url}#/landscape`);
  const first = cardOf(page, 'first');
  await expect(first.getByRole('img')).toHaveAccessibleName('first: loss from 0 to 8, a path of 3 points that ends at 0');
  await expect(first).toContainText('loss 0 to 8');
  const lines = await first.locator('canvas').evaluate((element) => (element as HTMLCanvasElement).toDataURL());
  await page.getByRole('button', { name: 'topographic' }).click();
  await expect(page).toHaveURL(/show=topographic/);
  await expect.poll(() => first.locator('canvas').evaluate((element) => (element as HTMLCanvasElement).toDataURL())).not.toBe(lines);
  await expectAccessible(page);
});

test('the landscape around the result, and the path as a table', async ({ page, mindviz }) => {
  written('written_landscapes', mindviz.logs);
  await page.goto(`${mindviz.url}#/landscape?as=table`);
  await expect(cardOf(page, 'first').getByRole('row').nth(3)).toHaveText('9000');
  await page.locator('select[name=interval]').selectOption('final');
  await expect(cardOf(page, 'first')).toContainText('convergence point');
  await expect(cardOf(page, 'second')).toContainText('no landscape of this kind');
});

test('landscapes of several runs are compared in one picture', async ({ page, mindviz }) => {
  written('written_landscapes', mindviz.logs);
  await page.goto(`${mindviz.url}#/landscape`);
  await expect(cardOf(page, 'second')).toBeVisible();
  await page.locator('select[name=compare]').selectOption('overlay');
  await expect(page.locator('article').getByRole('img')).toHaveAccessibleName(/^(first|second): loss from 0 to 11.*; (first|second): /);
});

test('a browser without WebGL is told so', async ({ page, mindviz }) => {
  written('written_landscapes', mindviz.logs);
  await page.goto(`${mindviz.url}#/landscape?show=space`);
  await page.addInitScript(() => { HTMLCanvasElement.prototype.getContext = () => null; });
  await page.reload();
  await expect(cardOf(page, 'first')).toContainText('no WebGL');
});

test('runs without landscapes say so', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/landscape`);
  await expect(page.locator('[data-empty=page]')).toContainText('no loss landscapes');
});
