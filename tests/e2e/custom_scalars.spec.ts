import { expectAccessible, writeKinds, writeLayout } from './kinds';
import { card, drawnLines, expect, test } from './mindviz';

test('charts from a logged layout are drawn for all runs', async ({ page, mindviz }) => {
  writeLayout(mindviz.logs);
  await page.goto(`${mindviz.url}#/custom_scalars`);
  await expect(card(page, 'Training/Losses').locator('.line-chart')).toBeVisible();
  const losses = await drawnLines(page, 'Training/Losses');
  expect(losses.map(({ y }) => y.length)).toEqual([10, 10, 10, 10]);
  const [accuracy] = await drawnLines(page, 'Training/Accuracy');
  expect(accuracy?.y[5]).toBeCloseTo(0.5, 6);
  expect(accuracy?.bandLow?.[5]).toBeCloseTo(0.4, 6);
  expect(accuracy?.bandHigh?.[5]).toBeCloseTo(0.6, 6);
  // Dragging zooms all charts and requests their data again.
  const box = (await card(page, 'Training/Losses').locator('.line-chart').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  await page.mouse.move(box.x + box.width * 0.4, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 60, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/zoom=\d+\.\.\d+/);
  await expect
    .poll(async () => (await drawnLines(page, 'Training/Accuracy'))[0]?.y.length ?? 10)
    .toBeLessThan(10);
  await page.getByTitle('Reset zoom').click();
  await expect(page).not.toHaveURL(/zoom=/);
  await expect.poll(async () => (await drawnLines(page, 'Training/Losses'))[0]?.y.length).toBe(10);
  await page.getByRole('button', { name: 'Table: Training/Losses' }).click();
  const table = card(page, 'Training/Losses').getByRole('table');
  await expect(table).toHaveAttribute('aria-rowcount', '41');
  await expect(table.getByRole('row').nth(1)).toContainText(
    losses[0]?.id.split('\0')[1] ?? 'no line',
  );
  await expectAccessible(page);
});

test('runs without a layout link to the scalars page', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/custom_scalars`);
  await expect(page.locator('.empty')).toContainText('No chart layouts');
});
