/** Fixtures of the browser tests: a mindviz for each, and a page that must not log errors. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  expect,
  test as base,
  type ConsoleMessage,
  type FrameLocator,
  type Locator,
  type Page,
  type Request,
} from '@playwright/test';

import { forked, python, ROOT, runModule, spawned, type ServerProcess } from './server_process';

export { python, ROOT };

/** A running mindviz and the base dir it watches. */
export class Mindviz {
  private constructor(
    /** As announced: with the token, if it printed one. */
    readonly url: string,
    readonly logs: string,
    private process: ServerProcess,
    private readonly folder: string,
  ) {}

  /** Starts a server on a free port, by default with an empty base dir. */
  static async start(
    options: {
      logs?: string;
      arguments?: readonly string[];
      env?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Mindviz> {
    const folder = mkdtempSync(join(tmpdir(), 'mindviz-e2e-'));
    const logs = options.logs ?? join(folder, 'logs');
    mkdirSync(logs, { recursive: true });
    const process_ = serve(logs, folder, '0', options.arguments, options.env);
    return new Mindviz(await announced(process_), logs, process_, folder);
  }

  /** Resolves once this many runs are loaded, checked for anomalies and described for lists. */
  async loaded(runs: number): Promise<void> {
    const read = async (route: string): Promise<Readonly<Record<string, unknown>>> => {
      const response = await fetch(new URL(`v1/mindviz/${route}`, this.url));
      return response.ok ? ((await response.json()) as Record<string, unknown>) : {};
    };
    const isLoaded = async (): Promise<boolean> => {
      const status = await read('status');
      if (status['load_status'] !== 'loaded' || status['train_jobs'] !== runs) return false;
      if ((await read('findings?limit=0'))['looked_into'] !== runs) return false;
      return (await read('datavisual/train-job-overview'))['total'] === runs;
    };
    await expect.poll(isLoaded, { timeout: 120_000 }).toBe(true);
  }

  file(...path: string[]): string {
    return join(this.logs, ...path);
  }

  /** Stops the server; its logs and its address are kept. */
  async halt(): Promise<void> {
    const ended = new Promise((done) => this.process.once('exit', done));
    this.process.terminate();
    await ended;
  }

  /** Restarts the server at its old address. */
  async resume(): Promise<void> {
    this.process = serve(this.logs, this.folder, new URL(this.url).port);
    await announced(this.process);
  }

  async stop(): Promise<void> {
    await this.halt();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function serve(
  logs: string,
  folder: string,
  port: string,
  more: readonly string[] = [],
  env?: Readonly<Record<string, string>>,
): ServerProcess {
  const workspace = join(folder, 'workspace');
  const parameters = [
    'start',
    ...['--summary-base-dir', logs],
    ...['--port', port],
    ...['--workspace', workspace],
    ...more,
  ];
  // Variables like PYTHONPATH take effect only before the interpreter starts.
  return env ? spawned(parameters, env) : forked(parameters);
}

/** The URL in the banner. */
function announced(server: ServerProcess): Promise<string> {
  return new Promise((found, failed) => {
    let printed = '';
    server.on('output', (text) => {
      printed += text;
      const url = /https?:\/\/[^\s\x1b]+/.exec(printed)?.[0];
      if (url && printed.includes('\n', printed.indexOf(url))) found(url);
    });
    server.once('exit', (code) => {
      failed(new Error(`mindviz ended with ${code ?? 'a signal'}:\n${printed}`));
    });
  });
}

/** A sweep of jobs with hyperparameters and metrics; see `written_sweep.py`. */
export function writeSweep(directory: string, count: number, ...seeds: [number?]): void {
  runModule('tests.e2e.written_sweep', directory, ...[count, ...seeds].map(String));
}

/** The lines of a chart, read from its element (see ui/README.md). */
export interface DrawnLine {
  readonly id: string;
  readonly x: number[];
  readonly y: number[];
  readonly raw: number[] | null;
  readonly bandLow: number[] | null;
  readonly bandHigh: number[] | null;
  readonly marks: readonly { readonly kind: string; readonly x: number }[];
}

/** Opens a page by its place in the rail and its tab, if it has one. */
export async function openPage(page: Page, place: string, name: string): Promise<void> {
  await page.locator('.rail').getByRole('link', { name: place }).click();
  const tab = page.locator(`.tabs a[href*="#/${name}"]`);
  const entry = page.locator(`.rail a[href*="#/${name}"]`);
  await expect(tab.or(entry).first()).toBeVisible();
  if (await tab.isVisible()) await tab.click();
}

/** The cards of a tag, optionally of one run. */
export function card(page: Page | FrameLocator, tag: string, run?: string): Locator {
  const exact = JSON.stringify(run === undefined ? tag : `${tag} · ${run}`);
  const ofRuns = run === undefined ? `, article[aria-label^=${JSON.stringify(`${tag} · `)}]` : '';
  return page.locator(`article[aria-label=${exact}]${ofRuns}`);
}

/** The rows of a run: in the job panel and in tables. */
export function row(page: Page, run: string): Locator {
  const name = JSON.stringify(run);
  return page.locator(`:is(div.job, .run, tr):has(.job-name[title=${name}])`);
}

/** The names of the runs in these rows. */
export function runsOf(rows: Locator): Promise<(string | null)[]> {
  return rows.evaluateAll((all) =>
    all.map((one) => one.querySelector('.job-name')?.getAttribute('title') ?? null),
  );
}

/** The lines of a tag's chart; fails if it is not drawn yet. */
export function drawnLines(page: Page, tag: string): Promise<DrawnLine[]> {
  return card(page, tag)
    .locator('.line-chart')
    .evaluate((element) => {
      interface Line {
        id: string;
        x: Float64Array;
        y: Float64Array;
        raw: Float64Array | null;
        band: { low: Float64Array; high: Float64Array } | null;
        marks: { kind: string; x: number }[];
      }
      const { lines } = element as unknown as { lines: Line[] };
      return lines.map(({ id, x, y, raw, band, marks }) => ({
        id,
        x: [...x],
        y: [...y],
        raw: raw && [...raw],
        bandLow: band && [...band.low],
        bandHigh: band && [...band.high],
        marks: marks.map((mark) => ({ kind: mark.kind, x: mark.x })),
      }));
    });
}

/** Waits until a tag's chart draws this many lines. */
export async function expectLines(page: Page, tag: string, count: number): Promise<void> {
  await expect.poll(async () => (await drawnLines(page, tag)).length).toBe(count);
}

/** Waits until the chart draws this many points. */
export async function expectPoints(chart: Locator, count: number): Promise<void> {
  const drawn = (element: Element): number => {
    const { lines } = element as unknown as { lines: { x: Float64Array }[] };
    return lines.reduce((sum, { x }) => sum + x.length, 0);
  };
  await expect
    .poll(() => chart.locator('.line-chart').evaluate(drawn), { timeout: 20_000 })
    .toBe(count);
}

interface Fixtures {
  /** Whether requests are expected to fail: browsers log an error for each. */
  readonly failing: boolean;
  readonly mindviz: Mindviz;
  /** Requests to the API, as they are sent. */
  readonly requests: URL[];
}

interface WorkerFixtures {
  /** A page that stays open from test to test. */
  readonly openPage: Page;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  failing: [false, { option: true }],

  mindviz: async ({ page }, use) => {
    const mindviz = await Mindviz.start();
    await use(mindviz);
    // A page that outlives its server would log errors.
    await page.close();
    await mindviz.stop();
  },

  requests: async ({ page }, use) => {
    const requests: URL[] = [];
    const note = (request: Request): unknown => requests.push(new URL(request.url()));
    page.on('request', note);
    await use(requests);
    page.off('request', note);
  },

  page: async ({ page, failing }, use) => {
    await expectNoComplaints(page, failing, use);
  },

  openPage: [
    async ({ browser }, use, { project }) => {
      const { viewport, locale, colorScheme } = project.use;
      const page = await browser.newPage({
        ...(viewport && { viewport }),
        ...(locale && { locale }),
        ...(colorScheme && { colorScheme }),
      });
      await use(page);
      await page.close();
    },
    { scope: 'worker' },
  ],
});

/**
 * Tests in one page, for files that visit many URLs: only the first loads the app. They must not
 * depend on what the app keeps, such as series that have arrived.
 */
export const inOpenPage = test.extend({
  page: async ({ openPage, failing }, use) => {
    await expectNoComplaints(openPage, failing, use);
  },
});

/** No page may print anything, violate its content security policy, or contact another server. */
async function expectNoComplaints(
  page: Page,
  failing: boolean,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const complaints: string[] = [];
  const onConsole = (message: ConsoleMessage): void => {
    // WebGL without a graphics card logs performance warnings.
    if (message.text().includes('GL Driver Message')) return;
    if (failing && message.text().startsWith('Failed to load resource')) return;
    complaints.push(message.text());
  };
  const onError = (error: Error): unknown => complaints.push(error.stack ?? error.message);
  const onRequest = (request: Request): void => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') complaints.push(request.url());
  };
  page.on('console', onConsole).on('pageerror', onError).on('request', onRequest);
  await use(page);
  page.off('console', onConsole).off('pageerror', onError).off('request', onRequest);
  expect(complaints).toEqual([]);
}

export { expect };
