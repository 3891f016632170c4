import { rmSync } from 'node:fs';

import { writeText } from './kinds';
import { card, expect, Mindviz, test as base } from './mindviz';
import { NAMES } from './pages';
import { writeLog } from './tiny_writer';

/** Two runs: `numbers` has only scalars, `words` only texts. */
const test = base.extend<object, { two: Mindviz }>({
  two: [
    async ({}, use) => {
      const mindviz = await Mindviz.start();
      writeLog(mindviz.file('numbers', 'events.out.tfevents.1700000000.host'), [
        { tag: 'loss', step: 1, value: 0.5, wall_time: 1_700_000_000 },
      ]);
      writeText(mindviz.file('words'));
      await use(mindviz);
      await mindviz.stop();
    },
    { scope: 'worker' },
  ],
});

/** The message of each page, and the runs that lack its data. */
const LACKING: readonly (readonly [state: string, said: string])[] = [
  ['runs?filter=nobody', 'No runs match “nobody”'],
  ['runs?job=./nobody', 'This run is not in the log directory.'],
  ['scalar?runs=words', 'The selected run has no scalars. 1 other does.'],
  ['scalar?runs=', 'Select a run to see its charts'],
  ['scalar?tags=nowhere', 'No tags match “nowhere”.'],
  ['custom_scalars', 'No chart layouts in this log directory.'],
  ['compare?runs=words', 'Select at least two runs'],
  ['compare?view=image', 'No images in this log directory.'],
  ['histogram', 'No histograms in this log directory.PyTorchwriter.add_histogram('],
  ['media?runs=numbers', 'The selected run has no media. 1 other does.'],
  ['image', 'No images in this log directory.PyTorchwriter.add_image('],
  ['tensor', 'No tensors in this log directory.PyTorchwriter.add_tensor('],
  ['text?runs=numbers', 'The selected run has no text. 1 other does.Select it'],
  ['text?tags=nowhere', 'No tags match “nowhere”.'],
  ['audio', 'No audio in this log directory.PyTorchwriter.add_audio('],
  ['curves', 'No PR or ROC curves in this log directory.PyTorchwriter.add_pr_curve('],
  ['mesh', 'No meshes in this log directory.PyTorchwriter.add_mesh('],
  ['embedding', 'No embeddings in this log directory.PyTorchwriter.add_embedding('],
  ['graph', 'No graphs in this log directory.PyTorchwriter.add_graph('],
  ['graph?show=dataset', 'No dataset graphs in this log directory.MindSpore'],
  ['sweep', 'No hyperparameters in this log directory.PyTorchwriter.add_hparams('],
  ['data_lineage', 'No dataset pipelines in this log directory.MindSpore'],
  ['landscape', 'No loss landscapes in this log directory.MindSpore'],
  ['health', 'No issues found.'],
  ['other', 'No other data in this log directory.'],
];

test('every empty page says what is missing, where it looked and what to do', async ({
  page,
  two,
}) => {
  test.setTimeout(90_000);
  for (const [state, said] of LACKING) {
    await page.goto(`${two.url}#/${state}`);
    const note = page.locator('.empty');
    await expect(note, state).toContainText(said);
    await expect(note, state).toContainText(
      `Log directory ${two.logs} · 2 runs · 2 TensorBoard files`,
    );
    await expect(page.getByText('Loading…'), state).toHaveCount(0);
  }
});

/** Pages whose controls are of no use without data. */
const TOOLLESS = [
  ...['media?runs=numbers', 'image', 'audio', 'text?runs=numbers', 'mesh', 'other'],
  ...['histogram', 'tensor', 'curves', 'graph', 'embedding', 'landscape', 'sweep'],
];

test('pages without data have no toolbar, and it comes with the data', async ({ page, two }) => {
  for (const state of TOOLLESS) {
    await page.goto(`${two.url}#/${state}`);
    await expect(page.locator('.empty'), state).toBeVisible();
    await expect(page.getByRole('toolbar'), state).toHaveCount(0);
  }
  await page.goto(`${two.url}#/scalar?runs=`);
  await expect(page.locator('.empty')).toBeVisible();
  await expect(page.getByRole('toolbar')).toHaveCount(0);
  await page.goto(`${two.url}#/text?runs=numbers`);
  await page.getByRole('button', { name: 'Select it' }).click();
  await expect(page.getByRole('toolbar', { name: 'Text' })).toBeVisible();
});

test('the page of all media shows how to log each type', async ({ page, mindviz }) => {
  writeLog(mindviz.file('numbers', 'events.out.tfevents.1700000000.host'), [
    { tag: 'loss', step: 1, value: 0.5, wall_time: 1_700_000_000 },
  ]);
  await page.goto(`${mindviz.url}#/media`);
  const note = page.locator('.empty');
  await expect(note).toContainText('No media in this log directory.');
  for (const call of ['add_image(', 'add_audio(', 'add_text(', 'add_mesh('])
    await expect(note).toContainText(`writer.${call}`);
});

test('an empty text says that it is empty', async ({ page, two }) => {
  await page.goto(`${two.url}#/text`);
  await expect(card(page, 'silence')).toContainText('This text is empty.');
  await expect(card(page, 'notes')).toContainText('all is well');
});

test('a filter without matches can be cleared in the note about it', async ({ page, two }) => {
  for (const name of ['runs?filter=nobody', 'scalar?tags=nowhere', 'text?tags=nowhere']) {
    await page.goto(`${two.url}#/${name}`);
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await expect(page.locator('.empty')).toHaveCount(0);
  }
});

test('unreadable locations are named beside the readable runs', async ({ page, two }) => {
  await page.route('**/v1/mindviz/status', async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as Record<string, unknown>;
    const problems = ['a', 'b', 'c', 'd', 'e'].map((path) => ({
      kind: 'unreadable',
      path,
      offset: null,
      detail: 'It cannot be read: Permission denied.',
      lost_records: 0,
    }));
    await route.fulfill({ response, json: { ...status, problems, problem_count: 5 } });
  });
  await page.goto(`${two.url}#/runs`);
  await expect(page.getByRole('status').filter({ hasText: 'Can’t read' })).toHaveText(
    'Can’t read 5 locations: a (Permission denied), b (Permission denied), c (Permission denied) and 2 more',
  );
  await expect(page.locator('.run')).toHaveCount(2);
  await page.unroute('**/v1/mindviz/status');
});

test('unreadable locations are named if there is no run', async ({ page, mindviz }) => {
  await page.route('**/v1/mindviz/status', async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as Record<string, unknown>;
    const problem = {
      kind: 'unreadable',
      path: 'private',
      offset: null,
      detail: 'It cannot be read: Permission denied.',
      lost_records: 0,
    };
    await route.fulfill({ response, json: { ...status, problems: [problem], problem_count: 1 } });
  });
  await page.goto(mindviz.url);
  const note = page.locator('.unread');
  await expect(note).toContainText('Some places cannot be read');
  await expect(note).toContainText('private It cannot be read: Permission denied.');
  await page.unroute('**/v1/mindviz/status');
});

test('a missing base dir is named once, and its runs appear when it is created', async ({
  page,
  mindviz,
}) => {
  rmSync(mindviz.logs, { recursive: true });
  await page.goto(mindviz.url);
  const note = page.locator('.empty');
  await expect(note).toContainText(
    `This directory does not exist yet: ${mindviz.logs}. mindviz shows runs as soon as it is created.`,
  );
  await expect(note).not.toContainText('logs found');
  await expect(page.locator('.unread')).toHaveCount(0);
  writeLog(mindviz.file('late', 'events.out.tfevents.1700000000.host'), [
    { tag: 'loss', step: 1, value: 0.5, wall_time: 1_700_000_000 },
  ]);
  await expect(note).toHaveCount(0);
});

test('an empty base dir is named on every page, and new data appears there', async ({
  page,
  mindviz,
}) => {
  for (const name of NAMES) {
    await page.goto(`${mindviz.url}#/${name}`);
    const note = page.locator('.empty');
    await expect(note).toContainText('No runs yet');
    await expect(note).toContainText(
      `Watching ${mindviz.logs} and its subdirectories. No MindSpore, TensorBoard or VisualDL logs found.`,
    );
    await expect(note).toContainText('mindviz start DIR');
  }
  await page.goto(`${mindviz.url}#/scalar`);
  writeLog(mindviz.file('late', 'events.out.tfevents.1700000000.host'), [
    { tag: 'loss', step: 1, value: 0.5, wall_time: 1_700_000_000 },
  ]);
  await expect(card(page, 'loss')).toBeVisible();
});
