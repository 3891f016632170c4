import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { expectAccessible, writeDatasets, written } from './kinds';
import { expect, test } from './mindviz';

const box = (page: Page, name: string): Locator =>
  page.locator(`[data-node=${JSON.stringify(name)}]`);
const panel = (page: Page): Locator => page.getByRole('region', { name: 'Node' });

async function open(page: Page, name: string): Promise<void> {
  await box(page, name).focus();
  await page.keyboard.press('Enter');
}

test('a graph opens its first scopes at its natural size', async ({ page, mindviz }) => {
  written('written_graphs', mindviz.logs, 'deep');
  await page.goto(`${mindviz.url}#/graph`);
  for (const i of [0, 7])
    await expect(box(page, `Default/network/net/T${i}-op${i}`)).toBeInViewport();
  await expect(page).toHaveURL(/open=Default~Default\/network~Default\/network\/net/);
  // They opened automatically: nothing to undo.
  await expect(page.getByRole('button', { name: 'Undo' })).toBeDisabled();
  // The minimap has the same proportions: eight boxes don't fill it.
  const [map, first] = await Promise.all([
    page.locator('svg.minimap').boundingBox(),
    page.locator('svg.minimap path').first().boundingBox(),
  ]);
  expect(first?.width).toBeLessThan((map?.width ?? 0) / 10);
  // The URL keeps the viewport once it stops moving, without new history entries.
  const entries = await page.evaluate(() => history.length);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect(page).toHaveURL(/&at=-?\d+,-?\d+,[\d.]+$/);
  const closer = page.url();
  await page.locator('svg.minimap').click({ position: { x: 160, y: 40 } });
  await expect(page).not.toHaveURL(closer);
  expect(await page.evaluate(() => history.length)).toBe(entries);
  const seen = (): Promise<string | null> =>
    page.locator('svg.picture > g').getAttribute('transform');
  const [link, before] = [page.url(), await seen()];
  await page.goto('about:blank');
  await page.goto(link);
  const numbers = (text: string | null): number[] =>
    (text ?? '').match(/-?[\d.]+/g)?.map(Number) ?? [];
  await expect
    .poll(async () =>
      numbers(await seen()).map((value, i) => Math.abs(value - (numbers(before)[i] ?? 0)) < 1.5),
    )
    .toEqual([true, true, true]);
  expect(page.url()).toBe(link);
  await page.goto('about:blank');
  await page.goto(`${mindviz.url}#/graph`);
  // Closed scopes stay closed.
  await open(page, 'Default/network');
  await expect(box(page, 'Default/network/net')).toHaveCount(0);
  await expect(page.getByRole('complementary')).toContainText(
    'No two scopes in this graph have the same structure',
  );
  await page.locator('select[name=colour]').selectOption('time');
  await expect(page.getByRole('complementary')).toContainText('No compute times logged');
});

test('scopes open one by one, and a node shows its inputs and outputs', async ({
  page,
  mindviz,
}) => {
  written('written_graphs', mindviz.logs, 'net');
  await page.goto(`${mindviz.url}#/graph?open=Default`);
  await expect(box(page, 'Default/body')).toBeVisible();
  await expect(box(page, 'Default/body/Conv2D-op1')).toHaveCount(0);
  await open(page, 'Default/body');
  await expect(box(page, 'Default/body/Conv2D-op1')).toBeVisible();
  await box(page, 'Default/body/Conv2D-op1').click();
  await expect(panel(page)).toContainText('Default/body/Conv2D-op1');
  await expect(panel(page)).toContainText('stride2');
  await expect(panel(page)).toContainText('float32 [8, 3, 4]');
  await expect(page).toHaveURL(/node=Default/);
  await expectAccessible(page);
  // Inputs link to their nodes, in any scope.
  await panel(page).getByRole('button', { name: 'Data-op0' }).click();
  await expect(panel(page)).toContainText('Default/input/Data-op0');
  await expect(box(page, 'Default/input/Data-op0')).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Collapse all' }).click();
  await expect(box(page, 'Default/body/Conv2D-op1')).toHaveCount(0);
});

test('parameters of the same kind are grouped beside the flow', async ({ page, mindviz }) => {
  written('written_graphs', mindviz.logs, 'net');
  await page.goto(`${mindviz.url}#/graph?open=Default~Default/body`);
  const group = page.getByRole('button', { name: /^Parameter ×6/ });
  await expect(group).toBeVisible();
  const [apart, flow] = [
    await group.boundingBox(),
    await box(page, 'Default/body/Conv2D-op1').boundingBox(),
  ];
  expect(apart?.x).toBeGreaterThan((flow?.x ?? 0) + (flow?.width ?? 0));
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.getByRole('button', { name: 'Detach auxiliary nodes' }).click();
  await expect
    .poll(async () => (await group.boundingBox())?.y ?? Infinity)
    .toBeLessThan((await box(page, 'Default/body/Conv2D-op1').boundingBox())?.y ?? 0);
});

test('search centers a node and highlights its flow', async ({ page, mindviz }) => {
  written('written_graphs', mindviz.logs, 'net');
  await page.goto(`${mindviz.url}#/graph`);
  await page.getByRole('searchbox', { name: 'Search nodes' }).fill('relu');
  await expect(page.getByRole('status').filter({ hasText: '1 node' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(box(page, 'Default/body/ReLU-op2')).toHaveAttribute('aria-pressed', 'true');
  await expect(panel(page)).toContainText('1 upstream, 1 downstream');
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.locator('select[name=trace]').selectOption('all');
  await expect(panel(page)).toContainText('3 upstream, 1 downstream');
  await page.reload();
  await expect(panel(page)).toContainText('3 upstream, 1 downstream');
});

test('an optimized graph omits nodes that only pass data on', async ({ page, mindviz }) => {
  written('written_graphs', mindviz.logs, 'redundant', 'deep');
  await page.goto(`${mindviz.url}#/graph?job=./deep`);
  await expect(page.locator('[data-node]').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Optimized' })).toHaveCount(0);
  await page.goto(`${mindviz.url}#/graph?job=./redundant&open=Default~Default/net`);
  await expect(box(page, 'Default/net/MakeTuple-op1')).toBeVisible();
  await page.getByRole('button', { name: 'Optimized' }).click();
  await expect(page).toHaveURL(/opt=1/);
  await page.getByRole('searchbox', { name: 'Search nodes' }).fill('op2');
  await page.keyboard.press('Enter');
  await expect(box(page, 'Default/net/ReLU-op2')).toHaveAttribute('aria-pressed', 'true');
  await expect(panel(page)).toContainText('1 upstream');
  await expect(panel(page)).not.toContainText('MakeTuple');
  await expect(panel(page).getByRole('button', { name: 'Data-op0' })).toBeVisible();
  await expect(box(page, 'Default/net/MakeTuple-op1')).toHaveCount(0);
});

test('a link to another graph opens its scopes, whatever is still loading', async ({
  page,
  mindviz,
}) => {
  written('written_graphs', mindviz.logs, 'redundant', 'deep');
  let release = (): void => undefined;
  const released = new Promise<void>((done) => (release = done));
  const inner = new RegExp(`graphs/scope.*${encodeURIComponent('Default/network/net')}(&|$)`);
  await page.route(inner, async (route) => {
    await released;
    await route.fallback();
  });
  const requested = page.waitForRequest(inner);
  await page.goto(`${mindviz.url}#/graph?job=./deep`);
  await requested;
  const link = `${mindviz.url}#/graph?job=./redundant&open=Default`;
  await page.goto(link);
  await expect(box(page, 'Default/net')).toBeVisible();
  const answered = page.waitForResponse(inner);
  release();
  await answered;
  await expect(page.locator('select[name=job]')).toHaveValue('./redundant');
  await box(page, 'Default/net').focus();
  await page.keyboard.press('Enter');
  await expect(box(page, 'Default/net/MakeTuple-op1')).toBeVisible();
  expect(page.url()).toBe(`${link}~Default/net`);
});

test('a graph is shown as a table and downloaded as SVG', async ({ page, mindviz }) => {
  written('written_graphs', mindviz.logs, 'net');
  await page.goto(`${mindviz.url}#/graph?open=Default~Default/body`);
  await expect(box(page, 'Default/body/Conv2D-op1')).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as SVG' }).click(),
  ]);
  const picture = readFileSync(await download.path(), 'utf8');
  expect(download.suggestedFilename()).toBe('net_graph.svg');
  expect(picture).toContain('Conv2D-op1</text>');
  await page.getByRole('radio', { name: 'Table' }).click();
  await expect(page.getByRole('row', { name: /Conv2D-op1/ })).toContainText('Conv2D');
});

test('the list of graphs shows the kind of each', async ({ page, mindviz }) => {
  written('written_graphs', mindviz.logs, 'kinds');
  await page.goto(`${mindviz.url}#/graph`);
  await expect(page.locator('select[name=tag] option')).toHaveText([
    'Run graph',
    'Conceptual graph',
  ]);
  await page.locator('select[name=tag]').selectOption({ index: 1 });
  await expect(page.locator('[data-node$=dense]')).toBeVisible();
});

test('TensorFlow graphs are colored by device and time', async ({ page, mindviz }) => {
  written('written_graphs', mindviz.logs, 'profile');
  await page.goto(`${mindviz.url}#/graph?colour=time`);
  await expect(page.locator('select[name=tag]')).toContainText('Profile');
  await expect(page.getByRole('complementary')).toContainText('40 µs');
  await page.locator('select[name=colour]').selectOption('device');
  await expect(page.getByRole('complementary')).toContainText('/gpu:0');
});

test('parts of a large scope are colored by their total time', async ({ page, mindviz }) => {
  written('written_graphs', mindviz.logs, 'timed');
  await page.goto(`${mindviz.url}#/graph?colour=time`);
  const fill = (places: string): Promise<string> =>
    box(page, `net/…${places}`)
      .locator('.shape')
      .evaluate((shape) => getComputedStyle(shape).fill);
  await expect(page.getByRole('complementary')).toContainText('150 µs');
  await expect(box(page, 'net/…1-50')).toContainText('op ×50');
  const [quick, slow] = [await fill('1-50'), await fill('551-600')];
  expect(quick).not.toBe(slow);
  expect(await fill('51-100')).toBe(quick);
  await box(page, 'net/…1-50').click();
  await expect(panel(page)).toContainText('50 µs');
});

test('the dataset graph is a chain from source to last operation', async ({ page, mindviz }) => {
  written('written_graphs', mindviz.logs, 'net', 'redundant');
  await page.goto(`${mindviz.url}#/graph?job=./redundant`);
  await expect(page.locator('select[name=job] option')).toHaveCount(2);
  await page.getByRole('radio', { name: 'Dataset' }).click();
  await expect(page.locator('select[name=job] option')).toHaveText(['net']);
  await expect(page.getByRole('button', { name: /^BatchDataset_1/ })).toBeVisible();
  await page.getByRole('button', { name: /^BatchDataset_1/ }).click();
  await expect(panel(page)).toContainText('batch_size32');
  await expect(panel(page)).toContainText('1 upstream');
  await expectAccessible(page);
});

test('a dataset of 1,000 files and operations is drawn, searched and opened', async ({
  page,
  mindviz,
}) => {
  test.slow();
  written('written_graphs', mindviz.logs, 'pipeline');
  await page.goto(`${mindviz.url}#/graph?show=dataset`);
  await expect(page.getByRole('group', { name: /1002 nodes and 1001 edges/ })).toBeVisible({
    timeout: 20_000,
  });
  expect(await page.locator('[data-node]').count()).toBeLessThan(800);
  await page.getByRole('searchbox', { name: 'Search nodes' }).fill('change999');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-node$="Change999_1000"]')).toHaveAttribute(
    'aria-pressed',
    'true',
    { timeout: 20_000 },
  );
  await expect(panel(page)).toContainText('1 upstream');
});

test('a scope of 30,000 nodes opens in parts, with small answers', async ({ page, mindviz }) => {
  test.slow();
  written('written_graphs', mindviz.logs, 'wide');
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/graphs/'))
      sizes.push(
        response.body().then(
          (body) => body.length,
          () => 0,
        ),
      );
  });
  await page.goto(`${mindviz.url}#/graph`);
  await expect(box(page, 'Default')).toBeVisible({ timeout: 60_000 });
  const part = page.getByRole('button', { name: /^1 – 300,/ });
  await expect(part).toBeVisible({ timeout: 20_000 });
  await part.focus();
  await page.keyboard.press('Enter');
  const inner = page.getByRole('button', { name: /^1 – 50,/ });
  await expect(inner).toBeVisible();
  await inner.focus();
  await page.keyboard.press('Enter');
  await expect(box(page, 'Default/T0-op0')).toBeVisible();
  expect(await page.locator('[data-node]').count()).toBeLessThan(800);
  // A search result opens the parts that contain it.
  await page.getByRole('searchbox', { name: 'Search nodes' }).fill('T29999-op29999');
  await page
    .getByRole('button', { name: /T29999-op29999/ })
    .first()
    .click();
  await expect(box(page, 'Default/T29999-op29999')).toHaveAttribute('aria-pressed', 'true', {
    timeout: 20_000,
  });
  await expect(page).toHaveURL(/%E2%80%A629701-30000/);
  // A link jumps to its neighbor.
  await panel(page).getByRole('button', { name: 'T29998-op29998' }).click();
  await expect(box(page, 'Default/T29998-op29998')).toHaveAttribute('aria-pressed', 'true');
  expect(Math.max(...(await Promise.all(sizes)))).toBeLessThan(100_000);
});

test('a flow with many long edges is drawn top down', async ({ page, mindviz }) => {
  written('written_graphs', mindviz.logs, 'woven');
  await page.goto(`${mindviz.url}#/graph`);
  await expect(box(page, 'Default/T0-op0')).toBeVisible({ timeout: 20_000 });
  const tops = await Promise.all(
    [0, 2, 4].map(async (i) => (await box(page, `Default/T${i}-op${i}`).boundingBox())?.y ?? NaN),
  );
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
  expect(new Set(tops).size).toBe(3);
});

test('Enter jumps to the first match, even before the answer arrives', async ({
  page,
  mindviz,
}) => {
  written('written_graphs', mindviz.logs, 'net');
  await page.goto(`${mindviz.url}#/graph`);
  await expect(box(page, 'Default/body')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search nodes' }).fill('conv2d');
  await page.keyboard.press('Enter');
  await expect(box(page, 'Default/body/Conv2D-op1')).toHaveAttribute('aria-pressed', 'true');
});

test('runs without a graph show a message', async ({ page, mindviz }) => {
  written('written_graphs', mindviz.logs, 'none');
  await page.goto(`${mindviz.url}#/graph`);
  await expect(page.locator('.empty')).toContainText('No graphs in this log directory');
});

test('only runs with a dataset graph are listed for it', async ({ page, mindviz }) => {
  writeDatasets(mindviz.logs);
  written('written_graphs', mindviz.logs, 'deep');
  await page.goto(`${mindviz.url}#/graph?show=dataset`);
  await expect(page.locator('select[name=job] option')).toHaveText(['a', 'b', 'c']);
  await expect(page.locator('[data-node]').first()).toBeVisible();
});

test.describe('a damaged graph', () => {
  test.use({ failing: true });
  test('is reported, and the page still works', async ({ page, mindviz }) => {
    written('written_graphs', mindviz.logs, 'damaged', 'net');
    await page.goto(`${mindviz.url}#/graph?job=./damaged`);
    await expect(page.getByRole('alert').filter({ hasText: 'Could not load' })).toBeVisible();
    await expect(page.getByText('Colors · Structure')).toHaveCount(0);
    await page.locator('select[name=job]').selectOption('./net');
    await expect(box(page, 'Default/body')).toBeVisible();
    await expect(page.getByText('Colors · Structure')).toBeVisible();
  });
});
