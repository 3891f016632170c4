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
];
const [RUNS, RUN, CHART, PLOT] = [0, 1, 2, 3];

const value = (step: number): number => Math.fround(Math.sin(step / 300) + (step % 7) / 10);

let lab: JupyterLab;
let page: Page;

test.describe.configure({ mode: 'serial', timeout: 120_000 });

test.beforeAll(async ({ browser }) => {
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
}

/** The lines of a chart that is drawn; see ui/README.md. */
async function drawn(chart: Locator): Promise<Drawn[]> {
  const element = chart.locator('.line-chart');
  await expect(element).toHaveAttribute('aria-busy', 'false');
  return element.evaluate((host) => {
    const { lines } = host as unknown as {
      lines: { id: string; x: Float64Array; y: Float64Array; raw: Float64Array | null }[];
    };
    return lines.map(({ id, x, y, raw }) => ({ id, x: [...x], y: [...y], raw: raw && [...raw] }));
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
  expect(lines.map(({ id }) => id)).toEqual(['["./long","loss"]', '["./short","loss"]']);
  const short = points('loss', 30, value);
  expect(lines[1]).toMatchObject({
    x: short.map(({ step }) => step),
    y: short.map((point) => point.value),
  });
});
