import { readFileSync } from 'node:fs';

import type { Page } from '@playwright/test';

import { written } from './kinds';
import { expect, test } from './mindviz';

/** Position and scale of a graph: the transform of its outermost group. */
function placed(page: Page): Promise<string> {
  return page
    .locator('svg.picture > g')
    .first()
    .getAttribute('transform')
    .then((text) => text ?? '');
}

test('minimap, buttons and wheel move through a graph', async ({ page, mindviz }) => {
  written('written_graphs', mindviz.logs, 'woven');
  await page.goto(`${mindviz.url}#/graph?open=Default`);
  await expect(page.locator('[data-node="Default/T0-op0"]')).toBeVisible({ timeout: 20_000 });
  const first = await placed(page);
  const map = (await page.locator('svg.minimap').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  await page.mouse.click(map.x + map.width / 2, map.y + map.height * 0.9);
  await expect.poll(() => placed(page)).not.toBe(first);
  await expect(page.locator('[data-node="Default/T0-op0"]')).toHaveCount(0);
  const below = await placed(page);
  await page.getByRole('button', { name: 'Closer' }).click();
  await expect.poll(() => placed(page)).not.toBe(below);
  await page.getByRole('button', { name: 'Fit' }).click();
  await expect.poll(() => placed(page)).toMatch(/scale\(0\.\d+\)/);
  const whole = await placed(page);
  await page.locator('.canvas').hover();
  await page.mouse.wheel(0, -400);
  await expect.poll(() => placed(page)).not.toBe(whole);
});

test('a dataset graph is searched, shown as a table, and downloaded as SVG', async ({
  page,
  mindviz,
}) => {
  written('written_graphs', mindviz.logs, 'net');
  await page.goto(`${mindviz.url}#/graph?show=dataset`);
  await expect(page.getByRole('button', { name: /^BatchDataset_1/ })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search nodes' }).fill('batch');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^BatchDataset_1/ }).first()).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as SVG' }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8')).toContain('BatchDataset_1</text>');
  await page.getByRole('radio', { name: 'Table' }).click();
  await expect(page.getByRole('row', { name: /BatchDataset_1/ })).toContainText('BatchDataset');
});

test('on a phone the details of a graph are below it', async ({ page, mindviz }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  written('written_graphs', mindviz.logs, 'net');
  await page.goto(`${mindviz.url}#/graph?open=Default`);
  const body = page.locator('[data-node="Default/body"]');
  await expect(body).toBeVisible();
  await body.click();
  const [graph, details] = [
    await page.locator('.canvas').boundingBox(),
    await page.getByRole('region', { name: 'Node' }).boundingBox(),
  ];
  expect(details?.y).toBeGreaterThanOrEqual((graph?.y ?? 0) + (graph?.height ?? 0));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});
