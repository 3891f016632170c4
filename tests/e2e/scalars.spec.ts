import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { card, drawnLines, expect, Mindviz, row, test, expectPoints } from './mindviz';
import { readLog } from './tiny_reader';
import { appendLog, points, writeLog } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

const noisy = (step: number): number =>
  2 * Math.exp(-step / 4_000) + 0.1 * Math.sin(step * 12.9898);

test('draws exactly the points of the file', async ({ page, mindviz }) => {
  const file = mindviz.file('run', NAME);
  writeLog(
    file,
    points('train/loss', 500, (step) => (step === 77 ? NaN : step === 300 ? 1e30 : noisy(step))),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  await expectPoints(card(page, 'train/loss'), 500);
  const [line] = await drawnLines(page, 'train/loss');
  const expected = readLog(file).get('train/loss') ?? [];
  expect(line?.x).toEqual(expected.map(({ step }) => step));
  expect(line?.y).toEqual(expected.map(({ value }) => value));
  // The rules are evaluated in the background.
  await expect
    .poll(async () => (await drawnLines(page, 'train/loss'))[0]?.marks)
    .toEqual([
      { kind: 'nan', x: 77 },
      { kind: 'event', x: 300 },
    ]);
});

test('draws a line per run, with every spike of a long series in its band', async ({
  page,
  mindviz,
}) => {
  writeLog(
    mindviz.file('a', NAME),
    points('loss', 20_000, (step) => (step === 12_345 ? 50 : noisy(step))),
  );
  writeLog(
    mindviz.file('b', NAME),
    points('loss', 20_000, (step) => (step === 777 ? -50 : noisy(step))),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  await expect(card(page, 'loss')).toContainText('Downsampled');
  const lines = await drawnLines(page, 'loss');
  expect(lines.map(({ id }) => id).sort()).toEqual(['./a', './b']);
  expect(Math.max(...lines.flatMap(({ bandHigh }) => bandHigh ?? []))).toBe(50);
  expect(Math.min(...lines.flatMap(({ bandLow }) => bandLow ?? []))).toBe(-50);
});

test('a zoom fetches full resolution, Back undoes it', async ({ page, mindviz, requests }) => {
  const file = mindviz.file('run', NAME);
  writeLog(file, points('loss', 20_000, noisy));
  await page.goto(`${mindviz.url}#/scalar`);
  await expect(card(page, 'loss')).toContainText('Downsampled');
  const plot = card(page, 'loss').locator('.u-over');
  const box = await plot.boundingBox();
  if (!box) throw new Error('The chart has no plot.');
  await page.mouse.move(box.x + box.width * 0.5, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.52, box.y + 60, { steps: 4 });
  await page.mouse.up();

  await expect(card(page, 'loss')).not.toContainText('Downsampled');
  const question = requests.findLast((url) => url.searchParams.has('start_step'))?.searchParams;
  const [from, to] = [Number(question?.get('start_step')), Number(question?.get('end_step'))];
  expect(from).toBeGreaterThan(9_700);
  expect(to).toBeLessThan(10_700);
  const expected = (readLog(file).get('loss') ?? []).filter(
    ({ step }) => step >= from && step <= to,
  );
  expect(expected.length).toBeGreaterThan(300);
  const [line] = await drawnLines(page, 'loss');
  // One point beyond each edge, where the line continues.
  expect(line?.x.slice(1, -1)).toEqual(expected.map(({ step }) => step));
  expect(line?.y.slice(1, -1)).toEqual(expected.map(({ value }) => value));

  await page.goBack();
  await expect(card(page, 'loss')).toContainText('Downsampled');
  await expect(page).not.toHaveURL(/zoom/);
});

test('Alt and drag pan all charts as one change of the view', async ({ page, mindviz }) => {
  writeLog(mindviz.file('run', NAME), [
    ...points('loss', 20_000, noisy),
    ...points('other', 20_000, noisy),
  ]);
  await page.goto(`${mindviz.url}#/scalar?zoom=5000..10000`);
  await expect(card(page, 'other')).toContainText('Downsampled');
  const box = await card(page, 'loss').locator('.u-over').boundingBox();
  if (!box) throw new Error('The chart has no plot.');
  const from = async (): Promise<number> => (await drawnLines(page, 'other'))[0]?.x[1] ?? NaN;
  await expect.poll(from).toBeGreaterThan(4_900);
  await page.keyboard.down('Alt');
  await page.mouse.move(box.x + box.width * 0.75, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.25, box.y + 60, { steps: 8 });
  await expect(page).toHaveURL(/zoom=5000\.\.10000/);
  await page.mouse.up();
  await page.keyboard.up('Alt');
  await expect(page).toHaveURL(/zoom=7[45]\d\d\.\.12[45]\d\d/);
  await expect.poll(from).toBeGreaterThan(7_400);
  await page.goBack();
  await expect(page).toHaveURL(/zoom=5000\.\.10000/);
});

test('appended points are drawn live', async ({ page, mindviz }) => {
  const file = mindviz.file('run', NAME);
  writeLog(file, points('loss', 100, noisy));
  await page.goto(`${mindviz.url}#/scalar`);
  await expectPoints(card(page, 'loss'), 100);
  for (let i = 0; i < 3; i++) {
    appendLog(
      file,
      points('loss', 1, () => 7 + i, 100 + i),
    );
    await expect.poll(async () => (await drawnLines(page, 'loss'))[0]?.y.at(-1)).toBe(7 + i);
  }
});

test('only new points are transferred', async ({ page, mindviz, requests }) => {
  const file = mindviz.file('run', NAME);
  writeLog(file, points('loss', 100, noisy));
  await page.goto(`${mindviz.url}#/scalar`);
  await expectPoints(card(page, 'loss'), 100);
  const answer = page.waitForResponse((response) => response.url().includes('since='));
  appendLog(file, points('loss', 2, noisy, 100));
  expect((await (await answer).body()).length).toBeLessThan(1_500);
  await expectPoints(card(page, 'loss'), 102);
  // Once everything is loaded, only the status is polled.
  await expect
    .poll(() => requests.slice(-4).filter((url) => url.pathname.endsWith('/status')).length)
    .toBe(4);
});

test('a restart rewrites the end of the line and leaves a mark', async ({ page, mindviz }) => {
  const file = mindviz.file('run', NAME);
  writeLog(
    file,
    points('loss', 100, () => 1),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  await expectPoints(card(page, 'loss'), 100);
  appendLog(
    file,
    points('loss', 10, () => 2, 80),
  );
  await expect(card(page, 'loss')).toContainText('+ 20 set aside');
  await expectPoints(card(page, 'loss'), 90);
  const [line] = await drawnLines(page, 'loss');
  expect(line?.x).toEqual(Array.from({ length: 90 }, (_, i) => i));
  expect(line?.y.slice(78, 82)).toEqual([1, 1, 2, 2]);
  await expect(async () => {
    expect((await drawnLines(page, 'loss'))[0]?.marks).toEqual([{ kind: 'restart', x: 80 }]);
  }).toPass();
});

test('a restart in a long series keeps its mark, also on formulas', async ({ page, mindviz }) => {
  writeLog(mindviz.file('run', NAME), [
    ...points('level', 13_331, () => 1),
    ...points('level', 8_000, () => 2, 13_327),
  ]);
  await page.goto(`${mindviz.url}#/scalar?charts=${encodeURIComponent('level * 2')}`);
  for (const tag of ['level', 'level * 2']) {
    await expect(card(page, tag)).toContainText('Downsampled');
    await expect
      .poll(async () => (await drawnLines(page, tag))[0]?.marks)
      .toEqual([{ kind: 'restart', x: 13_327 }]);
  }
  // A window without the restart has no mark.
  await page.goto(
    `${mindviz.url}#/scalar?charts=${encodeURIComponent('level * 2')}&zoom=14000..14100`,
  );
  for (const tag of ['level', 'level * 2']) {
    await expect.poll(async () => (await drawnLines(page, tag))[0]?.x.length).toBe(103);
    expect((await drawnLines(page, tag))[0]?.marks).toEqual([]);
  }
});

test('axis, smoothing and scales change the lines, and the URL restores them', async ({
  page,
  mindviz,
}) => {
  for (const name of ['a', 'b', 'c'])
    writeLog(mindviz.file(name, NAME), [...points('loss', 50, noisy), ...points('acc', 50, noisy)]);
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'acc').waitFor();
  await page.locator('input[name=tags]').fill('^los');
  await page.getByRole('radio', { name: 'Wall' }).click();
  await expect
    .poll(async () => (await drawnLines(page, 'loss'))[0]?.x.slice(0, 3))
    .toEqual([1_700_000_000, 1_700_000_001, 1_700_000_002]);
  await page.getByRole('radio', { name: 'Relative' }).click();
  await page.getByRole('spinbutton', { name: 'Smoothing' }).fill('0.99');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Log y' }).click();
  await row(page, 'b').locator('input').uncheck();

  await expect.poll(async () => (await drawnLines(page, 'loss'))[0]?.raw ?? null).not.toBeNull();
  const before = await drawnLines(page, 'loss');
  expect(before.map(({ id }) => id).sort()).toEqual(['./a', './c']);
  expect(before[0]?.x.slice(0, 3)).toEqual([0, 1, 2]);
  expect(before[0]?.raw?.[1]).toBeCloseTo(noisy(1), 5);
  expect(before[0]?.y[1]).not.toBeCloseTo(noisy(1), 3);
  await expect(card(page, 'acc')).toHaveCount(0);

  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  await card(page, 'loss').locator('.line-chart').waitFor();
  await expect.poll(() => drawnLines(page, 'loss')).toEqual(before);
  await expect(card(page, 'acc')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Log y' })).toHaveAttribute('aria-pressed', 'true');
});

test('arrow keys move within segmented controls, where shortcuts still work', async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('a', NAME), points('loss', 5, noisy));
  await page.goto(`${mindviz.url}#/scalar`);
  const axes = page.getByRole('radiogroup', { name: 'Axis' });
  await axes.getByRole('radio', { name: 'Step' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(axes.getByRole('radio', { name: 'Relative' })).toBeFocused();
  await expect(page).toHaveURL(/x=relative/);
  await page.keyboard.press('l');
  await expect(page).toHaveURL(/log=y/);
});

test('hovering highlights a run everywhere; the tooltip lists five and Shift pins it', async ({
  page,
  mindviz,
}) => {
  for (let i = 0; i < 7; i++) {
    writeLog(mindviz.file(`run_${i}`, NAME), [
      ...points('loss', 50, () => i),
      ...points('acc', 50, () => i),
    ]);
  }
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'acc').locator('.line-chart').waitFor();
  const box = await card(page, 'loss').locator('.u-over').boundingBox();
  if (!box) throw new Error('The chart has no plot.');
  await page.mouse.move(box.x + box.width / 2, box.y + 4);
  const tooltip = page.locator('.chart-tooltip');
  const rows = tooltip.locator('tbody tr');
  await expect(rows).toHaveCount(5);
  await expect(tooltip.locator('th')).toHaveText(['', 'Run', 'Value', 'Step', 'Time']);
  await expect(rows.first()).toHaveText(/run_6\s*6\s*2[45]\s*2[45]s/);
  await expect(tooltip).toContainText('+2 more');
  await expect(page.locator('.job.lit')).toContainText('run_6');
  // It covers nothing of the plot.
  const place = await tooltip.boundingBox();
  expect(place?.y).toBeGreaterThan(box.y + box.height);

  await page.keyboard.press('Shift');
  await page.mouse.move(5, 5);
  await expect(rows).toHaveCount(7);
  await page.keyboard.press('Escape');
  await expect(tooltip).toHaveCount(0);

  // A click pins it, too; a click elsewhere closes it.
  await page.mouse.click(box.x + box.width / 2, box.y + 4);
  await expect(rows).toHaveCount(7);
  await page.getByRole('spinbutton', { name: 'Smoothing' }).click();
  await expect(tooltip).toHaveCount(0);
});

test('a chart can be explored by keyboard alone', async ({ page, mindviz }) => {
  writeLog(
    mindviz.file('run', NAME),
    points('loss', 50, (step) => step),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  const chart = card(page, 'loss').locator('.line-chart');
  await chart.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.chart-tooltip')).toContainText(/2\s*2\s*2s/);
  await page.keyboard.press('+');
  await expect(page).toHaveURL(/zoom=/);
  await page.keyboard.press('0');
  await expect(page).not.toHaveURL(/zoom=/);
});

test('hundreds of tags mount only the charts near the view, without jumps', async ({
  page,
  mindviz,
}) => {
  const tags = Array.from({ length: 400 }, (_, i) => `layer/${i}`);
  writeLog(
    mindviz.file('run', NAME),
    tags.flatMap((tag) => points(tag, 3, (step) => step)),
  );
  await page.goto(`${mindviz.url}#/scalar`);
  await card(page, 'layer/0').locator('.line-chart').waitFor();
  expect(await page.locator('.line-chart').count()).toBeLessThan(20);
  const scroller = page.locator('.scroller');
  const height = await scroller.evaluate((element) => element.scrollHeight);
  await scroller.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await card(page, 'layer/399').locator('.line-chart').waitFor();
  expect(await scroller.evaluate((element) => element.scrollHeight)).toBe(height);
  expect(await page.locator('.line-chart').count()).toBeLessThan(20);
});

test('an empty tag has a name, and a tag ending in /scalar keeps it', async ({ page, mindviz }) => {
  writeLog(mindviz.file('run', NAME), [
    ...points('', 5, noisy),
    ...points('loss/scalar', 6, noisy),
  ]);
  await page.goto(`${mindviz.url}#/scalar`);
  await expect(card(page, '(no tag)')).toContainText('(no tag)');
  await expectPoints(card(page, '(no tag)'), 5);
  await expectPoints(card(page, 'loss/scalar'), 6);
});

test.describe('sample logs', () => {
  const samples = resolve(__dirname, '../../../shared/samples');
  test.skip(!existsSync(samples), 'the sample logs are not here');

  test('are drawn as logged', async ({ page }) => {
    const mindviz = await Mindviz.start({ logs: samples });
    try {
      for (const [folder, tag] of [
        ['tensorboard/torch/sgd_lr0.1_w32', 'loss/train'],
        ['tensorboard/torch/adam_lr0.01_w64', 'acc/train'],
      ] as const) {
        await page.goto(`${mindviz.url}#/scalar?runs=${encodeURIComponent(folder)}`);
        await card(page, tag).locator('.line-chart').waitFor();
        const [line] = await drawnLines(page, tag);
        const expected =
          readLog(
            join(
              samples,
              folder,
              readdirSync(join(samples, folder)).find((name) => name.includes('tfevents')) ?? '',
            ),
          ).get(tag) ?? [];
        expect(expected.length).toBeGreaterThan(10);
        expect(line?.x).toEqual(expected.map(({ step }) => step));
        expect(line?.y).toEqual(expected.map(({ value }) => value));
      }
    } finally {
      // A page that outlives its server logs errors.
      await page.goto('about:blank');
      await mindviz.stop();
    }
  });
});
