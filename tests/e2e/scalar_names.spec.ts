/** Names of runs and titles in tooltips, tables and cards. */
import { card, expect, expectLines, test } from './mindviz';
import { NAME, plotOf } from './scalar_card';
import { points, writeLog } from './tiny_writer';

test('long names are whole in the tooltip where there is room', async ({ page, mindviz }) => {
  const words = ['warmup', 'cosine', 'dropout', 'mixup', 'smoothing', 'momentum', 'decay'];
  for (const i of [0, 1])
    writeLog(
      mindviz.file(words.map((word) => `${word}${i}`).join('_'), NAME),
      points('loss', 20, () => i),
    );
  await page.goto(`${mindviz.url}#/scalar`);
  const box = await plotOf(card(page, 'loss'));
  await page.mouse.move(box.x + box.width / 2, box.y + 3);
  const names = page.locator('.chart-tooltip td.label .cut > span');
  await expect(names).toHaveCount(2);
  expect(
    await names.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth)),
  ).toEqual([0, 0]);
});

test('the tooltip lists the five nearest lines, nearest first', async ({ page, mindviz }) => {
  const write = (i: number): void => {
    const constant = points('loss', 20, () => i);
    writeLog(mindviz.file(`run_${i}`, NAME), constant);
  };
  for (let i = 0; i < 8; i++) write(i);
  await page.goto(`${mindviz.url}#/scalar`);
  const box = await plotOf(card(page, 'loss'));
  await page.mouse.move(box.x + box.width / 2, box.y + box.height - 3);
  const names = page.locator('.chart-tooltip td.label');
  await expect(names).toHaveText(['run_0', 'run_1', 'run_2', 'run_3', 'run_4']);
  await expect(page.locator('.chart-tooltip')).toContainText('+3 more');
  await page.mouse.move(box.x + box.width / 2, box.y + 3);
  await expect(names).toHaveText(['run_7', 'run_6', 'run_5', 'run_4', 'run_3']);
  // It follows what arrives while the pointer rests.
  write(8);
  await expect(names).toHaveText(['run_8', 'run_7', 'run_6', 'run_5', 'run_4']);
});

test('a title that fits is whole', async ({ page, mindviz }) => {
  const tags = ['train_loss_epoch', 'ill_illiterate_fit', 'validation_top5_accuracy'];
  writeLog(
    mindviz.file('run', 'events.out.tfevents.1700000000.host'),
    tags.flatMap((tag) => points(tag, 3)),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  for (const tag of tags) {
    const { shown, whole } = await card(page, tag)
      .locator('h3 .cut')
      .evaluate((element) => {
        const style = getComputedStyle(element);
        const context = new OffscreenCanvas(1, 1).getContext('2d');
        if (context) context.font = style.font;
        return {
          shown: parseFloat(getComputedStyle(element, '::after').width),
          whole: context?.measureText((element as HTMLElement).dataset['end'] ?? '').width ?? NaN,
        };
      });
    expect(shown, tag).toBeGreaterThan(whole - 1);
  }
});

test('values are visible beside long names, in a table and on a phone', async ({
  page,
  mindviz,
}) => {
  for (const end of ['a', 'b'])
    writeLog(
      mindviz.file(`a_long_prefix_of_the_name/of_this_run/with_many_parts/${end}`, NAME),
      points('loss', 3, (step) => step / 7),
    );
  await page.goto(`${mindviz.url}#/scalar?runs=*&tables=loss`);
  const value = card(page, 'loss').getByRole('cell', { name: '0.28571' }).first();
  await expect(value).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${mindviz.url}#/scalar?runs=*&smooth=0.6`);
  await expectLines(page, 'loss', 2);
  const box = await plotOf(card(page, 'loss'));
  await page.mouse.move(box.x + box.width - 3, box.y + 40);
  const cells = page.locator('.chart-tooltip tbody td:not(.label)');
  // A swatch, two values, step and time for each run.
  await expect(cells).toHaveCount(10);
  for (const cell of await cells.all()) await expect(cell).toBeInViewport({ ratio: 1 });
  const tooltip = await page.locator('.chart-tooltip').boundingBox();
  const name = await page.locator('.chart-tooltip td.label').first().boundingBox();
  for (const cell of await cells.all()) {
    const { x, width } = (await cell.boundingBox()) ?? { x: 0, width: 0 };
    expect(x + width).toBeLessThanOrEqual((tooltip?.x ?? 0) + (tooltip?.width ?? 0));
  }
  expect((await cells.nth(1).boundingBox())?.y).toBeGreaterThan(name?.y ?? Infinity);
});
