import { expectAccessible, writeKinds, written } from './kinds';
import { card, expect, row, test } from './mindviz';
import { bytes, painted, wordsDrawn } from './pictures';

test('one chart shows the curves of all runs, its table their areas', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/curves`);
  const shownCard = card(page, 'detector');
  await expect(shownCard.locator('canvas')).toBeVisible();
  await expect(shownCard.getByRole('img')).toHaveAttribute(
    'aria-label',
    'precision–recall of detector: 2 runs.',
  );
  // Hovering over a run highlights its curve.
  const picture = shownCard.locator('canvas');
  const usual = await bytes(picture);
  await row(page, 'first').hover();
  await expect.poll(() => bytes(picture)).not.toBe(usual);
  await page.mouse.move(600, 20);
  await expect.poll(() => bytes(picture)).toBe(usual);
  await shownCard.getByRole('button', { name: 'Table' }).click();
  await expect(shownCard.getByRole('row')).toHaveCount(3);
  const newest = await shownCard.getByRole('row').nth(1).textContent();
  expect(newest).toMatch(/^(first|second)200\.\d+$/);
  // Detection improves over the steps.
  await page.getByRole('button', { name: 'Previous step' }).click();
  await expect(shownCard.getByRole('row').nth(1)).toContainText('100.');
  await expectAccessible(page);
});

test("the tooltip of a curve's point has threshold and counts", async ({ page, mindviz }) => {
  written('written_rates', mindviz.logs);
  const told = await wordsDrawn(page);
  await page.goto(`${mindviz.url}#/curves`);
  const shownCard = card(page, 'detector');
  await expect(shownCard).toContainText('ROC');
  const picture = shownCard.locator('canvas').first();
  await expect.poll(() => painted(picture)).toBeGreaterThan(500);
  const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  // The lowest threshold is in the upper right corner: it finds everything, right or wrong.
  await page.mouse.move(box.x + box.width - 16, box.y + 10, { steps: 3 });
  await expect
    .poll(async () => (await told()).join(' '))
    .toContain('threshold 0: 100 true and 100 false positives, 0 true and 0 false negatives');
  await shownCard.getByRole('button', { name: 'Table' }).click();
  await expect(shownCard.getByRole('row').nth(1)).toHaveText(/^rates10\.80000$/);
  await page.getByRole('button', { name: 'Previous step' }).click();
  await expect(shownCard.getByRole('row').nth(1)).toHaveText(/^rates00\.60000$/);
});

test('average precision over time is a line per run', async ({ page, mindviz }) => {
  writeKinds(mindviz.logs);
  await page.goto(`${mindviz.url}#/curves?show=time`);
  const chart = card(page, 'detector').locator('.line-chart');
  await expect(chart).toBeVisible();
  const lines = await chart.evaluate((element) =>
    (element as unknown as { lines: { x: Float64Array; y: Float64Array }[] }).lines.map(
      ({ x, y }) => ({ x: [...x], y: [...y] }),
    ),
  );
  expect(lines.map(({ x }) => x)).toEqual([
    [0, 10, 20],
    [0, 10, 20],
  ]);
  await chart.focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.job.lit')).toHaveCount(1);
  await page.keyboard.press('Shift');
  await expect(page.locator('.chart-tooltip')).toContainText('Esc to unpin');
  for (const { y } of lines) for (const value of y) expect(value).toBeGreaterThan(0.5);
});
