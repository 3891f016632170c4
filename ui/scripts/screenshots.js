/**
 * Takes the pictures of docs/images: every page, light and dark, on the logs of `mindviz demo`.
 *
 *     make screenshots
 */
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { chromium } from '@playwright/test';

import { browser as systemBrowser } from '../browser.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const IMAGES = join(ROOT, 'docs/images');
const SIZE = { width: 1280, height: 800 };

const RUNS =
  'runs=tensorboard/resnet/lr_0.100~tensorboard/resnet/lr_0.010~tensorboard/resnet/lr_0.001~mindspore/lenet_adam';

/** Page -> what of it is shown. */
const PAGES = {
  runs: '',
  dashboard: 'job=./tensorboard/resnet/lr_0.010',
  scalar: `${RUNS}~tensorboard/resnet/resumed~mindspore/lenet_sgd&smooth=0.6`,
  custom_scalars: RUNS,
  compare: RUNS,
  histogram: 'tags=conv',
  image: '',
  tensor: '',
  text: 'show=changes&step=1000',
  audio: '',
  curves: '',
  mesh: '',
  embedding: 'sprites=1&runs=tensorboard/resnet/lr_0.010~tensorboard/resnet/lr_0.100',
  graph: '',
  sweep: '',
  landscape: 'show=topographic',
  health: '',
};

const [, , only] = process.argv;
const python = process.env['MINDVIZ_PYTHON'] ?? join(ROOT, '.venv/bin/python');
const folder = join(tmpdir(), 'mindviz-screenshots');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const NAME = 'experiments';
const logs = join(folder, NAME);

/**
 * A run whose disk was bad: one record is damaged, and the last one cut off.
 * @param {string} runs
 */
function damage(runs) {
  const damaged = join(runs, 'bad_disk');
  cpSync(join(runs, 'lr_0.001'), damaged, { recursive: true });
  for (const name of readdirSync(damaged).filter((one) => one.includes('tfevents'))) {
    const bytes = readFileSync(join(damaged, name));
    const middle = Math.floor(bytes.length / 2);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 0xff, middle);
    writeFileSync(join(damaged, name), bytes.subarray(0, -9));
    const { atime, mtime } = statSync(join(runs, 'lr_0.001', name));
    utimesSync(join(damaged, name), atime, mtime);
  }
}

/** @param {string[]} words */
const mindviz = (...words) =>
  spawn(python, ['-m', 'mindviz', ...words], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });

await new Promise((done) => mindviz('demo', logs).once('exit', done));
damage(join(logs, 'tensorboard/resnet'));
const server = mindviz(
  'start',
  '--summary-base-dir',
  logs,
  '--port',
  '0',
  '--workspace',
  join(folder, 'workspace'),
);
const url = await new Promise((found) => {
  let said = '';
  server.stdout.on('data', (text) => {
    said += String(text);
    // eslint-disable-next-line no-control-regex
    const address = /https?:\/\/[^\s\x1b]+/.exec(said)?.[0];
    if (address && said.includes('\n', said.indexOf(address))) found(address);
  });
});

const browser = await chromium.launch({
  executablePath: systemBrowser(),
  args: [
    '--no-sandbox',
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
  ],
});
mkdirSync(IMAGES, { recursive: true });
for (const theme of ['light', 'dark']) {
  const page = await browser.newPage({
    viewport: SIZE,
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    locale: 'en-US',
  });
  // The header shows the log directory: as a user would type it, not where this script put it.
  await page.route('**/mindviz/status*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), summary_base_dir: NAME } });
  });
  for (const [name, state] of Object.entries(PAGES)) {
    if (only && only !== name) continue;
    await page.goto('about:blank');
    await page.goto(`${url}#/${name}?${state}`);
    await page.waitForTimeout(1500);
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(IMAGES, `${name}-${theme}.png`) });
  }
  // A status request may be on its way.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.close();
}
await browser.close();
server.kill();
rmSync(folder, { recursive: true, force: true });
