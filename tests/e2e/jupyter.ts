/** A real JupyterLab with separate settings, in which tests run notebooks. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { expect, type Locator, type Page } from '@playwright/test';

import { python, ROOT } from './server_process';

/** No requests to other servers, and no question whether to make them. */
const SETTINGS = {
  '@jupyterlab/apputils-extension/notification': {
    fetchNews: 'false',
    checkForUpdates: false,
    doNotDisturbMode: true,
  },
};

export class JupyterLab {
  private constructor(
    private readonly url: string,
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(): Promise<JupyterLab> {
    const folder = mkdtempSync(join(tmpdir(), 'mindviz-jupyter-'));
    for (const [name, settings] of Object.entries(SETTINGS)) {
      const file = join(folder, 'settings', `${name}.jupyterlab-settings`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(settings));
    }
    const child = spawn(
      python(),
      [
        ...['-m', 'jupyterlab', '--no-browser', '--allow-root', '--ip=127.0.0.1'],
        ...['--ServerApp.port=0', '--IdentityProvider.token=', `--ServerApp.root_dir=${folder}`],
      ],
      {
        cwd: folder,
        env: {
          ...process.env,
          // `python3` of the kernel's specification is the tests' interpreter.
          PATH: `${dirname(python())}${delimiter}${process.env['PATH'] ?? ''}`,
          PYTHONPATH: ROOT,
          JUPYTER_CONFIG_DIR: join(folder, 'config'),
          JUPYTER_DATA_DIR: join(folder, 'data'),
          JUPYTER_RUNTIME_DIR: join(folder, 'runtime'),
          JUPYTERLAB_SETTINGS_DIR: join(folder, 'settings'),
          JUPYTERLAB_WORKSPACES_DIR: join(folder, 'workspaces'),
          IPYTHONDIR: join(folder, 'ipython'),
          MINDVIZ_WORKSPACE: join(folder, 'workspace'),
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    return new JupyterLab(await announced(child), child, folder);
  }

  file(...path: string[]): string {
    return join(this.folder, ...path);
  }

  /** Opens a notebook with these cells and runs them all. */
  async run(page: Page, name: string, cells: readonly string[]): Promise<void> {
    const notebook = {
      cells: cells.map((source, i) => ({
        cell_type: 'code',
        id: `cell-${i}`,
        execution_count: null,
        metadata: {},
        outputs: [],
        source,
      })),
      metadata: { kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' } },
      nbformat: 4,
      nbformat_minor: 5,
    };
    writeFileSync(this.file(name), JSON.stringify(notebook));
    await page.goto(`${this.url}doc/tree/${name}`);
    await expect(page.locator('.jp-Cell')).toHaveCount(cells.length, { timeout: 30_000 });
    // Cells that are run before the kernel is connected are forgotten, even if it is shown as idle.
    await expect(async () => {
      await page.getByRole('menuitem', { name: 'Run', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Run All Cells', exact: true }).click();
      await expect(prompt(page, 0)).not.toHaveText('[ ]:', { timeout: 5_000 });
    }).toPass({ timeout: 90_000 });
    await expect(prompt(page, cells.length - 1)).toHaveText(/^\[\d+\]:$/, { timeout: 90_000 });
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.process.once('exit', done));
    this.process.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What a cell shows. */
export const output = (page: Page, cell: number): Locator =>
  page.locator('.jp-Cell').nth(cell).locator('.jp-Cell-outputWrapper');

const prompt = (page: Page, cell: number): Locator =>
  page.locator('.jp-Cell').nth(cell).locator('.jp-InputPrompt').first();

function announced(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let printed = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const url = /(http:\/\/127\.0\.0\.1:\d+\/)lab/.exec(printed)?.[1];
      if (url) found(url);
    });
    child.once('exit', (code) =>
      failed(new Error(`JupyterLab ended with ${code ?? 'a signal'}:\n${printed}`)),
    );
  });
}
