import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { expect, test, type Mindviz } from './mindviz';
import { writeLog } from './tiny_writer';

const ROOT = resolve(__dirname, '../..');

function writeGraphs(mindviz: Mindviz): void {
  const python = process.env['MINDVIZ_PYTHON'] ?? resolve(ROOT, '.venv/bin/python');
  execFileSync(python, ['-m', 'tests.mindspore_graphs', mindviz.logs], { cwd: ROOT });
}

test('scopes open and close, a node tells what it is, and its neighbours are ways to them', async ({ page, mindviz }) => {
  writeGraphs(mindviz);
  await page.goto(`${mindviz.url}#/graph?runs=*`);
  await expect(page.locator('[data-graph]')).toBeVisible();
  const nodes = page.locator('[data-node]');
  const scope = page.locator('.node.scope').first();
  await expect(scope).toBeVisible();
  const name = (await scope.getAttribute('data-node')) ?? '';
  const before = await nodes.count();
  await scope.dblclick();
  await expect.poll(() => nodes.count()).toBeGreaterThan(before);
  await expect(page).toHaveURL(/open=/);
  await page.reload();
  await expect.poll(() => nodes.count()).toBeGreaterThan(before);

  await page.locator(`[data-node^="${name}/"]`).first().click();
  const panel = page.locator('[data-node-panel]');
  await expect(panel.locator('.mono')).toContainText(`${name}/`);
  await expect(panel.getByRole('heading', { name: /^Inputs/ })).toBeVisible();
  await page.getByRole('button', { name: 'Fold all' }).click();
  await expect.poll(() => nodes.count()).toBe(before);
});

test('a node is found by a part of its name, and shown within its scopes', async ({ page, mindviz }) => {
  writeGraphs(mindviz);
  await page.goto(`${mindviz.url}#/graph?runs=*`);
  await page.locator('input[name=node]').fill('op');
  const found = page.locator('.found button');
  await expect(found.first()).toBeVisible();
  const name = (await found.first().textContent()) ?? '';
  await found.first().click();
  await expect(page.locator(`[data-node="${name}"]`)).toBeVisible();
  await expect(page.locator('[data-node-panel] .mono')).toHaveText(name);
  await page.locator('input[name=node]').fill('nobody is called that');
  await expect(page.getByText('No node is called that.')).toBeVisible();
});

test('the optimized view, colours, and a picture to take along', async ({ page, mindviz }) => {
  writeGraphs(mindviz);
  await page.goto(`${mindviz.url}#/graph?runs=*`);
  await expect(page.locator('[data-node]').first()).toBeVisible();
  await page.locator('select[name=colour]').selectOption('plain');
  await expect(page).toHaveURL(/colour=plain/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'SVG' }).click();
  expect(readFileSync(await (await download).path()).toString()).toContain('<svg');
  const optimized = page.locator('select[name=tag] option', { hasText: 'optimized' }).first();
  await page.locator('select[name=tag]').selectOption((await optimized.getAttribute('value')) ?? '');
  await expect(page).toHaveURL(/tag=.*optimized/);
});

test('says so where no run has a graph', async ({ page, mindviz }) => {
  writeLog(mindviz.file('a', 'events.out.tfevents.1700000000.host'), [{ tag: 'loss', step: 0, value: 1, wall_time: 1_700_000_000 }]);
  await page.goto(`${mindviz.url}#/graph`);
  await expect(page.getByText('The chosen runs have no graph.')).toBeVisible();
});
