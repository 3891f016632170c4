/** Tables, charts and the page in cells of a real JupyterLab. */
import { expect, test, type Locator, type Page } from '@playwright/test';

import { JupyterLab, output } from './jupyter';
import { appendLog, points, writeLog } from './tiny_writer';

const LOG = 'events.out.tfevents.1700000000.host';
const HOSTILE = 'a <img src=x onerror=alert(1)>';
const CELLS = [
  'import mindviz\nlogs = mindviz.open("logs")\nlogs',
  'logs.run("long")',
  'logs.chart("loss")',
  'logs.run("long").plot("loss", smoothing=0.9)',
  '%load_ext mindviz\n%mindviz logs --height 500',
  'logs.chart("loss", groups={"both": ["long", "short"]})',
];
const [RUNS, RUN, CHART, PLOT, PAGE, GROUPS] = [0, 1, 2, 3, 4, 5];

const SPIKE = 15_000;
const value = (step: number): number =>
  Math.fround(Math.sin(step / 300) + (step % 7) / 10 + (step === SPIKE ? 50 : 0));

let lab: JupyterLab;
let page: Page;

test.describe.configure({ mode: 'serial', timeout: 120_000 });

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000); // JupyterLab and its kernel start slowly beside other tests
  lab = await JupyterLab.start();
  writeLog(lab.file('logs', 'long', LOG), points('loss', 20_000, value));
  writeLog(lab.file('logs', 'short', LOG), points('loss', 30, value));
  writeLog(lab.file('logs', HOSTILE, LOG), points('acc', 3));
  page = await browser.newPage();
  await lab.run(page, 'charts.ipynb', CELLS);
});

test.afterAll(async () => {
  await page.close();
  await lab.stop();
});

interface Drawn {
  readonly id: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly raw: readonly number[] | null;
  readonly marks: readonly { readonly x: number; readonly kind: string; readonly label: string }[];
  readonly deviation: readonly number[];
}

/** The lines of a chart that is drawn; see ui/README.md. */
async function drawn(chart: Locator): Promise<Drawn[]> {
  const element = chart.locator('.line-chart');
  await expect(element).toHaveAttribute('aria-busy', 'false');
  return element.evaluate((host) => {
    const { lines } = host as unknown as {
      lines: {
        id: string;
        x: Float64Array;
        y: Float64Array;
        raw: Float64Array | null;
        marks: { x: number; kind: string; label: string }[];
        deviation?: Float64Array;
      }[];
    };
    return lines.map(({ id, x, y, raw, marks, deviation }) => ({
      id,
      x: [...x],
      y: [...y],
      raw: raw && [...raw],
      marks: marks.map(({ x: at, kind, label }) => ({ x: at, kind, label })),
      deviation: [...(deviation ?? [])],
    }));
  });
}

test('logs and runs are tables, and HTML in names is text', async () => {
  const runs = output(page, RUNS);
  await expect(runs.getByText('3 runs at')).toBeVisible();
  await expect(runs.getByRole('row').filter({ hasText: 'long' })).toContainText('19,999');
  await expect(runs.locator('img')).toHaveCount(0);
  await expect(runs.getByText('onerror=alert(1)')).toBeVisible();
  await expect(output(page, RUN).getByRole('cell', { name: 'loss' })).toBeVisible();
});

test('a chart draws the values of the logs', async () => {
  const lines = await drawn(output(page, CHART));
  await expect(output(page, CHART).locator('img[alt^="<chart of loss"]')).toBeHidden();
  expect(lines.map(({ id }) => id)).toEqual(['["./long","loss"]', '["./short","loss"]']);
  const short = points('loss', 30, value);
  expect(lines[1]).toMatchObject({
    x: short.map(({ step }) => step),
    y: short.map((point) => point.value),
  });
});

test('a zoomed chart draws every point of the range, and zooming out the whole', async () => {
  const chart = output(page, CHART);
  await chart.scrollIntoViewIfNeeded();
  const whole = (await drawn(chart))[0]?.x.length ?? 0;
  expect(whole).toBeLessThan(20_000);
  await drag(page, chart, 0.5, 0.52);
  // The first and the last point are the nearest ones beyond the range.
  const inRange = async (): Promise<number[]> => (await drawn(chart))[0]?.x.slice(1, -1) ?? [];
  await expect
    .poll(async () => {
      const steps = await inRange();
      return steps.length > 300 && steps.every((step, i) => step === (steps[0] ?? 0) + i);
    })
    .toBe(true);
  const [line] = await drawn(chart);
  expect(line?.y).toEqual(line?.x.map(value));
  await chart.locator('.u-over').dblclick();
  await expect.poll(async () => (await drawn(chart))[0]?.x.length).toBe(whole);
});

test('charts are independent, and smoothing keeps the logged values', async () => {
  const plot = output(page, PLOT);
  await plot.scrollIntoViewIfNeeded();
  const [smoothed] = await drawn(plot);
  expect(smoothed?.raw).not.toBeNull();
  await plot.getByText('Relative', { exact: true }).click();
  await plot.locator('input[name=smoothing]').fill('0');
  await expect.poll(async () => (await drawn(plot))[0]?.raw).toBeNull();
  const chart = output(page, CHART);
  await expect(chart.getByRole('radio', { name: 'Step' })).toBeChecked();
  await chart.getByRole('button', { name: 'short' }).click();
  await expect.poll(async () => (await drawn(chart)).length).toBe(1);
  expect(await drawn(plot)).toHaveLength(1);
  await chart.getByRole('button', { name: 'short' }).click();
});

test('points that are logged later appear', async () => {
  const chart = output(page, CHART);
  await chart.scrollIntoViewIfNeeded();
  appendLog(
    lab.file('logs', 'short', LOG),
    points('loss', 2, () => 5, 30),
  );
  await expect.poll(async () => (await drawn(chart))[1]?.y.slice(-3)).toEqual([value(29), 5, 5]);
});

test('a chart has the color of its run, and the theme of the notebook', async () => {
  const chart = output(page, CHART);
  const section = chart.locator('section');
  await expect(section).toHaveAttribute('data-theme', 'light');
  const swatch = chart.getByRole('button', { name: 'long' }).locator('line');
  const color = await swatch.getAttribute('stroke');
  expect(await pixelsOf(chart, color ?? '')).toBeGreaterThan(100);
  await page.evaluate(() => {
    document.body.dataset['jpThemeLight'] = 'false';
  });
  await expect(section).toHaveAttribute('data-theme', 'dark');
  await expect(swatch).not.toHaveAttribute('stroke', color ?? '');
  await page.evaluate(() => {
    document.body.dataset['jpThemeLight'] = 'true';
  });
});

test('a chart marks what the rules find', async () => {
  const chart = output(page, CHART);
  await chart.scrollIntoViewIfNeeded();
  const marks = async (): Promise<unknown> => (await drawn(chart))[0]?.marks;
  await expect
    .poll(marks, { timeout: 30_000 })
    .toEqual([{ x: SPIKE, kind: 'event', label: expect.stringContaining('15,000') as unknown }]);
});

test('a chart of groups draws mean and deviation of their runs', async () => {
  const chart = output(page, GROUPS);
  await chart.scrollIntoViewIfNeeded();
  await expect(chart.getByRole('button', { name: 'both' })).toBeVisible();
  const [line] = await drawn(chart);
  expect(line?.id).toBe('["both","loss"]');
  expect([line?.x[0], line?.y[0], line?.deviation[0]]).toEqual([0, value(0), 0]);
  expect(line?.marks.map(({ kind }) => kind)).toEqual(['fewer']);
  await chart.getByRole('combobox', { name: 'Band' }).selectOption('none');
  await expect.poll(async () => (await drawn(chart))[0]?.deviation).toEqual([]);
});

test('the magic shows the page in the cell', async () => {
  const frame = output(page, PAGE).locator('iframe');
  await expect(frame).toHaveAttribute('src', /^http:\/\/localhost:\d+\/$/);
  await expect(frame).toHaveAttribute('height', '500');
  const shown = frame.contentFrame();
  await expect(shown.locator('.job-name[title="short"]').first()).toBeVisible();
});

/** Drags over parts of the width of a chart. */
async function drag(on: Page, chart: Locator, from: number, to: number): Promise<void> {
  const box = await chart.locator('.u-over').boundingBox();
  if (!box) throw new Error('The chart is not visible.');
  const y = box.y + box.height / 2;
  await on.mouse.move(box.x + from * box.width, y);
  await on.mouse.down();
  await on.mouse.move(box.x + to * box.width, y, { steps: 4 });
  await on.mouse.up();
}

/** The number of pixels of a color on a chart's canvas. */
function pixelsOf(chart: Locator, color: string): Promise<number> {
  const canvas = chart.locator('canvas.plot-lines');
  return canvas.evaluate((element, hex) => {
    const { width, height } = element as HTMLCanvasElement;
    const context = (element as HTMLCanvasElement).getContext('2d');
    const { data } = context?.getImageData(0, 0, width, height) ?? { data: [] };
    const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    let count = 0;
    for (let i = 0; i < data.length; i += 4)
      if (wanted.every((part, j) => Math.abs(part - (data[i + j] ?? 0)) < 3)) count++;
    return count;
  }, color);
}
