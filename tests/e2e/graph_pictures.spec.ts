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
  await page.getByRole('button', { name: 'Zoom in' }).click();
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
  written('written_graphs', mindviz.logs, 'net', 'redundant', 'none');
  await page.goto(`${mindviz.url}#/graph?show=dataset`);
  // Only runs that have one are offered.
  await expect(page.locator('select[name=job] option')).toHaveText(['net']);
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
  // Fit leaves room for the buttons.
  const hand = page.getByRole('group', { name: 'Chart' });
  await hand.getByRole('button', { name: 'Fit' }).click();
  const buttons = await hand.boundingBox();
  for (const node of await page.locator('[data-node]').all()) {
    const box = await node.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(buttons?.y ?? 0);
  }
  await body.click();
  const [graph, details] = [
    await page.locator('.canvas').boundingBox(),
    await page.getByRole('region', { name: 'Node' }).boundingBox(),
  ];
  expect(details?.y).toBeGreaterThanOrEqual((graph?.y ?? 0) + (graph?.height ?? 0));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test('auxiliary nodes stand beside the model, repeated layers share a color', async ({
  page,
  mindviz,
}) => {
  written('written_graphs', mindviz.logs, 'layers');
  await page.goto(`${mindviz.url}#/graph`);
  const at = (name: string) => page.locator(`[data-node=${JSON.stringify(name)}]`);
  const fill = (name: string): Promise<string> =>
    at(name)
      .locator('.shape')
      .evaluate((shape) => getComputedStyle(shape).fill);
  await expect(at('layer1')).toBeVisible();
  expect(await fill('layer1')).toBe(await fill('layer2'));
  expect(await fill('layer1')).not.toBe(await fill('head'));
  await expect(page.getByRole('region', { name: 'Colors' })).toContainText('layer ×3');
  const right = await at('head').boundingBox();
  for (const name of ['init', 'save', 'gradients'])
    expect((await at(name).boundingBox())?.x).toBeGreaterThan(
      (right?.x ?? 0) + (right?.width ?? 0),
    );
  // The shape of what flows is written at the edge.
  await expect(page.locator('.shape-label').first()).toHaveText('32×8');
  // Nothing to optimize, and the empty profile is no choice.
  await expect(page.locator('select[name=tag] option')).toHaveText(['Run graph']);
  await expect(page.getByRole('button', { name: 'Optimized' })).toHaveCount(0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as PNG' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('layers_graph.png');
  const png = readFileSync(await download.path());
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBeGreaterThan(500);
});
