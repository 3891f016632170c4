import { readFileSync } from 'node:fs';

import type { Locator, Page } from '@playwright/test';

import { expectAccessible, writeKinds, written } from './kinds';
import { card, expect, test } from './mindviz';

const cardOf = (page: Page, job: string): Locator => card(page, 'layer/kernel', job);

test("a tensor's part is shown as a table", async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/tensor`);
  const first = cardOf(page, 'first');
  await expect(first).toContainText('float32 [2, 3, 4]');
  // The newest step's first matrix: 0 to 11, and 20 for the step; the first element is NaN.
  await expect(first.getByRole('row').nth(1)).toHaveText('0NaN212223');
  await expect(first).toContainText('1 NaN');
  await expect(first.getByRole('row').first()).toHaveText(/^dim 1 .* dim 20123$/);
  await first.getByRole('textbox', { name: 'Dimension 0' }).fill('1');
  await first.getByRole('textbox', { name: 'Dimension 2' }).fill('1:3');
  await page.keyboard.press('Enter');
  await expect(first.getByRole('row').nth(1)).toHaveText('03334');
  await page.reload();
  await expect(first.getByRole('row').nth(1)).toHaveText('03334');
  await first.getByRole('textbox', { name: 'Dimension 0' }).fill('7');
  await page.keyboard.press('Enter');
  await expect(first.getByRole('textbox', { name: 'Dimension 0' })).toHaveClass(/literal/);
  await expect(first.getByRole('alert')).toContainText(
    'Invalid slice “7” for dimension 0 (size 2)',
  );
  await expect(first.getByRole('table')).toHaveCount(0);
  await expect(first).not.toContainText('mean');
  await first.getByRole('textbox', { name: 'Dimension 0' }).fill('1');
  await page.keyboard.press('Enter');
  await expect(first.getByRole('row').nth(1)).toHaveText('03334');
  await page.locator('select[name=format]').selectOption('fixed');
  await expect(first.getByRole('row').nth(1)).toHaveText('033.00034.000');
  // Larger visible values have darker cells.
  const cells = first.getByRole('row').nth(1).getByRole('cell');
  const shade = async (column: number): Promise<string> =>
    cells.nth(column).evaluate((cell) => getComputedStyle(cell).backgroundColor);
  expect(await shade(1)).not.toBe(await shade(2));
  await page.getByRole('button', { name: 'Heatmap' }).click();
  await expect.poll(async () => (await shade(1)) === (await shade(2))).toBe(true);
  await expectAccessible(page);
});

test('rows and columns of a slice have the indices of the tensor', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/tensor`);
  const first = cardOf(page, 'first');
  const select = async (...fields: readonly string[]): Promise<void> => {
    for (const [n, text] of fields.entries())
      await first.getByRole('textbox', { name: `Dimension ${n}` }).fill(text);
    await page.keyboard.press('Enter');
  };
  await select('1', '1:3', '2:');
  await expect(first.getByRole('row')).toHaveText(['dim 1 \\ dim 223', '13839', '24243']);
  // One row of the matrix, and one column.
  await select('1', '2', ':');
  await expect(first.getByRole('row')).toHaveText(['dim 1 \\ dim 20123', '240414243']);
  await select('1', ':', '3');
  await expect(first.getByRole('row')).toHaveText(['dim 1 \\ dim 23', '035', '139', '243']);
  await select(':', ':', ':');
  await expect(first.getByRole('alert')).toContainText('At most 2 dimensions');
  await expect(first.getByRole('table')).toHaveCount(0);
});

test('statistics and distribution are shown over the steps', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/tensor?show=statistics`);
  const chart = cardOf(page, 'second').locator('.line-chart');
  await expect(chart).toBeVisible();
  const lines = await chart.evaluate((element) =>
    (element as unknown as { lines: { id: string; y: Float64Array }[] }).lines.map(({ id, y }) => [
      id,
      [...y],
    ]),
  );
  expect(lines).toEqual([
    ['max', [123, 133, 143]],
    ['avg', [112, 122, 132]],
    ['min', [101, 111, 121]],
  ]);
  await chart.press('+');
  await expect(page).toHaveURL(/zoom=/);
  await cardOf(page, 'second').getByTitle('Reset zoom').click();
  await expect(page).not.toHaveURL(/zoom=/);
  const table = cardOf(page, 'second').getByRole('button', { name: 'Table: layer/kernel' });
  await table.click();
  await expect(cardOf(page, 'second').getByRole('row')).toHaveText([
    'StepMaxMeanMin',
    /123112101$/,
    /133122111$/,
    /143132121$/,
  ]);
  await page.getByRole('radio', { name: 'Distribution' }).click();
  await expect(cardOf(page, 'second').getByRole('row').nth(3)).toContainText('121');
  await expectAccessible(page);
  await table.click();
  await expect(cardOf(page, 'second').locator('.histogram-chart')).toBeVisible();
});

test('a single value needs no card of full height', async ({ page, mindviz }) => {
  written('written_single_values', mindviz.logs);
  // Cards of a row are as high as the highest.
  await page.goto(`${mindviz.url}#/tensor?tags=scale`);
  const heightOf = async (shown: Locator): Promise<number> =>
    (await shown.boundingBox())?.height ?? NaN;
  await expect(card(page, 'scale')).toContainText('0.25');
  await expect.poll(() => heightOf(card(page, 'scale'))).toBeLessThan(200);
  await page.goto(`${mindviz.url}#/tensor?tags=weights`);
  await expect.poll(() => heightOf(card(page, 'weights'))).toBeGreaterThan(300);
});

test('a tensor is downloaded as a NumPy file', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/tensor`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    cardOf(page, 'first').getByRole('link', { name: 'Download as .npy' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('layer_kernel_20.npy');
  const content = readFileSync(await download.path());
  expect(content.subarray(1, 6).toString()).toBe('NUMPY');
  expect(content.readFloatLE(content.length - 4)).toBe(43);
});
