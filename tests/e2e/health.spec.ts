import { readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { en as shell } from '../../ui/src/i18n/en';
import { en } from '../../ui/src/plugins/health/messages';
import { expectAccessible } from './kinds';
import { card, drawnLines, expect, row, test } from './mindviz';
import { appendLog, scalarRecord, writeLog, type Point } from './tiny_writer';

const NAME = 'events.out.tfevents.1700000000.host';

function points(count: number, value: (step: number) => number = () => 1, from = 0): Point[] {
  return Array.from({ length: count }, (_, i) => ({
    tag: 'loss',
    step: from + i,
    value: value(from + i),
    wall_time: 1_700_000_000 + from + i,
  }));
}

/** The findings on the page, or those of one kind. */
function findings(page: Page, kind?: string): Locator {
  const all = page.locator('main article');
  const labels: Readonly<Record<string, string>> = { ...shell.findings.kind, ...en.kinds };
  const label = kind === undefined ? undefined : labels[kind];
  return label === undefined
    ? all
    : all.filter({ has: page.locator('.badge').getByText(label, { exact: true }) });
}

/** A kind of finding, a log that has it, its text, and a step that its chart shows. */
const TROUBLES: readonly [
  kind: string,
  write: (file: string) => void,
  said: string | RegExp,
  step: number,
][] = [
  [
    'nan',
    (file) => {
      writeLog(
        file,
        points(2_000, (step) => (step >= 1_300 ? NaN : 1)),
      );
    },
    'loss · steps 1,300 to 1,999',
    1_300,
  ],
  [
    'infinity',
    (file) => {
      writeLog(
        file,
        points(2_000, (step) => (step === 900 ? Infinity : 1)),
      );
    },
    'loss · step 900',
    900,
  ],
  [
    'restart',
    (file) => {
      writeLog(file, points(100));
      appendLog(
        file,
        points(30, () => 1.2, 80),
      );
    },
    'loss · steps 80 to 99',
    80,
  ],
  [
    'duplicate_steps',
    (file) => {
      writeLog(file, [...points(60), ...points(1, () => 1.1, 59), ...points(40, () => 1, 60)]);
    },
    /1 duplicate step; last value kept.*loss · step 59/,
    59,
  ],
  [
    'gap',
    (file) => {
      writeLog(
        file,
        points(100).map((one) => ({ ...one, step: one.step < 50 ? one.step : one.step + 4_950 })),
      );
    },
    '4,951 steps missing.',
    49,
  ],
  [
    'pause',
    (file) => {
      writeLog(
        file,
        points(100).map((one) => ({
          ...one,
          wall_time: one.wall_time + (one.step >= 70 ? 3_600 : 0),
        })),
      );
    },
    /No data for 1h/,
    69,
  ],
  [
    'clock_back',
    (file) => {
      writeLog(
        file,
        points(100).map((one) => ({
          ...one,
          wall_time: one.wall_time - (one.step >= 40 ? 500 : 0),
        })),
      );
    },
    /Clock moved back 8min/,
    39,
  ],
  [
    'truncated',
    (file) => {
      writeLog(file, points(100));
      truncateSync(file, readFileSync(file).length - 9);
    },
    'Incomplete record',
    98,
  ],
  [
    'bad_payload',
    (file) => {
      // Renamed in one piece: the server must not read it before the damage.
      const draft = join(dirname(file), 'draft');
      writeLog(draft, points(1_000));
      const bytes = readFileSync(draft);
      const record = scalarRecord(points(1)[0] as Point).length;
      bytes.writeUInt8(
        bytes.readUInt8(bytes.length - 400 * record) ^ 0xff,
        bytes.length - 400 * record,
      );
      writeFileSync(draft, bytes);
      renameSync(draft, file);
    },
    '1 record lost',
    590,
  ],
];

test('every finding is listed and links to its place in a chart', async ({ page, mindviz }) => {
  test.setTimeout(90_000);
  writeLog(mindviz.file('fine', NAME), points(50));
  for (const [kind, write] of TROUBLES) write(mindviz.file(kind, NAME));
  await page.goto(`${mindviz.url}#/health`);
  await expect(page.getByRole('toolbar').getByRole('status')).toHaveText(
    `${TROUBLES.length - 1} issues · 3 errors · ${TROUBLES.length - 4} warnings · 1 info`,
  );
  await expect(findings(page).filter({ hasText: 'fine' })).toHaveCount(0);

  for (const [kind, , said, step] of TROUBLES) {
    const finding = findings(page, kind);
    await expect(finding).toHaveCount(1);
    await expect(finding).toContainText(said);
    await finding.getByLabel('Show in chart').click();
    await expect(page).toHaveURL(/#\/scalar\?.*zoom=/);
    // The selection stays; a run that is not selected is drawn, too.
    await expect(page.locator('.job input:checked')).toHaveCount(10);
    const [, from = NaN, to = NaN] = (/zoom=(\d+)\.\.(\d+)/.exec(page.url()) ?? []).map(Number);
    expect(from).toBeLessThanOrEqual(step);
    expect(to).toBeGreaterThan(step);
    await expect(card(page, 'loss').locator('.line-chart')).toBeVisible();
    await expect
      .poll(async () => {
        const lines = await drawnLines(page, 'loss');
        return lines.find(({ id }) => id === `./${kind}`)?.x.includes(step);
      })
      .toBe(true);
    await page.goBack();
    await expect(page.locator('.job input:checked')).toHaveCount(10);
  }
  // The filter, the zoom and a run that was not selected end with the visit.
  await row(page, 'fine').getByTitle('Show only this run').click();
  await findings(page, 'nan').getByLabel('Show in chart').click();
  await expect(page).toHaveURL(/#\/scalar\?.*zoom=/);
  await expect(page.locator('.panel h2').first()).toHaveText('Shown by the link 1');
  await expect(row(page, 'nan').locator('input')).not.toBeChecked();
  await expect
    .poll(async () => (await drawnLines(page, 'loss')).map(({ id }) => id))
    .toContain('./nan');
  await page.locator('.rail').getByRole('link', { name: 'Runs' }).click();
  await expect(page).toHaveURL(/#\/runs/);
  await expect(row(page, 'nan').locator('input')).not.toBeChecked();
  await page.locator('.rail').getByRole('link', { name: 'Charts' }).click();
  await expect(card(page, 'loss').locator('.line-chart')).toBeVisible();
  expect(page.url()).not.toMatch(/zoom=|tags=/);
  await page.locator('.rail').getByRole('link', { name: 'Health' }).click();
  // Filters by severity and by kind replace each other; the URL keeps them.
  await page.locator('select[name=severity]').selectOption('severe');
  await expect(findings(page)).toHaveCount(3);
  await expect(page).toHaveURL(/severity=severe/);
  await page.reload();
  await expect(findings(page).locator('.badge.severe')).toHaveCount(3);
  await page.locator('select[name=severity]').selectOption('note');
  await expect(findings(page)).toHaveCount(1);
  await page.locator('select[name=severity]').selectOption('');
  await expect(findings(page)).toHaveCount(TROUBLES.length);
  await page.locator('select[name=severity]').selectOption('warning');
  await page.locator('select[name=kind]').selectOption('nan');
  await expect(findings(page)).toHaveCount(1);
  await expect(page).not.toHaveURL(/severity=/);
});

test('an event is one row for all its series, which it links to', async ({ page, mindviz }) => {
  const file = mindviz.file('run', NAME);
  const three = (all: Point[]): Point[] =>
    all.flatMap((one) => ['acc', 'loss', 'lr'].map((tag) => ({ ...one, tag })));
  writeLog(file, three(points(100)));
  appendLog(file, three(points(30, () => 1.2, 80)));
  appendLog(
    file,
    points(1, () => NaN, 110),
  );
  await page.goto(`${mindviz.url}#/health`);
  await expect(page.getByRole('toolbar').getByRole('status')).toHaveText(
    '2 issues · 1 error · 1 warning',
  );
  await expect(findings(page)).toHaveCount(2);
  const restart = findings(page, 'restart');
  await expect(restart).toContainText('Training restarted; 20 points overwritten.');
  await expect(restart.getByRole('link', { name: 'lr' })).toBeHidden();
  await restart.getByText('3 tags · steps 80 to 99').click();
  await expect(restart.locator('li')).toHaveText(['acc', 'loss', 'lr']);
  await expectAccessible(page);
  await restart.getByRole('link', { name: 'lr' }).click();
  await expect(card(page, 'lr').locator('.line-chart')).toBeVisible();
  await expect(card(page, 'loss')).toHaveCount(0);
  await page.goBack();
  await restart.getByRole('link', { name: 'Show in chart' }).click();
  await expect(card(page, 'lr').locator('.line-chart')).toBeVisible();
  await expect(card(page, 'loss').locator('.line-chart')).toBeVisible();
});

test('an event at different steps of several series is one row', async ({ page, mindviz }) => {
  // A training that paused for an hour: one series has every step, one every tenth, one counts epochs.
  const at = (tag: string, every: number, per: number): Point[] =>
    Array.from({ length: 400 / every }, (_, i) => ({
      tag,
      step: Math.floor((i * every) / per),
      value: 1,
      wall_time: 1_700_000_000 + i * every + (i * every >= 200 ? 3_600 : 0),
    }));
  writeLog(mindviz.file('run', NAME), [
    ...at('loss', 1, 1),
    ...at('valid', 10, 1),
    ...at('epoch', 20, 20),
  ]);
  await page.goto(`${mindviz.url}#/health`);
  await expect(page.getByRole('toolbar').getByRole('status')).toHaveText('1 issue');
  const pause = findings(page);
  await expect(pause).toHaveCount(1);
  await expect(pause).toContainText('3 tags · steps 9 to 200');
  await pause.locator('summary').click();
  await expect(pause.locator('li')).toHaveText([
    'epoch · steps 9 to 10',
    'valid · steps 190 to 200',
    'loss · steps 199 to 200',
  ]);
  await pause.getByRole('link', { name: 'epoch' }).click();
  await expect.poll(async () => (await drawnLines(page, 'epoch'))[0]?.x.includes(9)).toBe(true);
});

test('the worst findings appear first while the server checks the rest, and paging reaches all', async ({
  page,
  mindviz,
}) => {
  for (let i = 0; i < 250; i++)
    writeLog(
      mindviz.file(`run_${i}`, NAME),
      points(12, (step) => (step === 11 && i % 100 === 7 ? NaN : 1)).map((one) => ({
        ...one,
        wall_time: one.wall_time + (one.step > 5 ? 900 : 0),
      })),
    );
  let looked = 40;
  await page.route('**/v1/mindviz/findings', async (route) => {
    const answer = await route.fetch();
    const json = (await answer.json()) as Record<string, unknown>;
    await route.fulfill({
      response: answer,
      json: looked < 250 ? { ...json, looked_into: looked } : json,
    });
  });
  await page.goto(`${mindviz.url}#/health?runs=*`);
  await expect(page.getByRole('toolbar').getByRole('status')).toHaveText(
    '253 issues · 3 errors · 250 warnings · 40 of 250 runs checked',
  );
  await expect(page.locator('main progress')).toHaveJSProperty('position', 0.16);
  looked = 250;
  await expect(page.getByRole('toolbar').getByRole('status')).toHaveText(
    '253 issues · 3 errors · 250 warnings',
  );
  await expect(page.locator('main progress')).toHaveCount(0);
  const shown = findings(page);
  await expect(shown).toHaveCount(100);
  expect(
    await shown.evaluateAll((all) =>
      all.slice(0, 4).map((one) => one.querySelector('.badge')?.textContent.trim()),
    ),
  ).toEqual(['NaN', 'NaN', 'NaN', 'Logging pause']);
  await expect(page.getByText('1–100 of 253')).toBeVisible();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL(/page=3/);
  await expect(page.getByText('201–253 of 253')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled();
  await expectAccessible(page);
  // A page number beyond the end shows the last page; few findings fit on one page.
  await page.locator('select[name=kind]').selectOption('nan');
  await expect(shown).toHaveCount(3);
  await expect(page.getByText('of 253')).toHaveCount(0);
  await page.goto(`${mindviz.url}#/health?runs=*&kind=gap`);
  await expect(page.getByText('No “Missing steps” issues.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all types' }).click();
  await expect(shown).toHaveCount(100);
});

test('findings cover all points, not only drawn ones', async ({ page, mindviz }) => {
  // Downsampling to a thousand points keeps one of these NaN.
  writeLog(
    mindviz.file('long', NAME),
    points(30_000, (step) => (step >= 20_000 && step < 20_700 ? NaN : step % 7)),
  );
  await page.goto(`${mindviz.url}#/health`);
  await expect(findings(page, 'nan')).toContainText('700 consecutive points');
  await expect(findings(page, 'nan')).toContainText('steps 20,000 to 20,699');
});

test('a kind can be selected, also by its former name in links; growing runs are checked again', async ({
  page,
  mindviz,
}) => {
  const file = mindviz.file('a', NAME);
  writeLog(
    file,
    points(50, (step) => (step === 30 ? NaN : step === 40 ? Infinity : 1)),
  );
  await page.goto(`${mindviz.url}#/health?kind=infinite`);
  await expect(findings(page)).toHaveCount(1);
  await expect(findings(page, 'infinity')).toBeVisible();
  await page.locator('select[name=kind]').selectOption('nan');
  await expect(findings(page, 'nan')).toHaveCount(1);
  appendLog(file, [...points(5, () => 1, 50), ...points(2, () => NaN, 55)]);
  await expect(findings(page, 'nan')).toHaveCount(2);
});

test('checks all runs, whichever are selected, and the selected ones on request', async ({
  page,
  mindviz,
}) => {
  writeLog(mindviz.file('fine', NAME), points(50));
  writeLog(
    mindviz.file('sick', NAME),
    points(50, (step) => (step > 30 ? NaN : 1)),
  );
  await page.goto(`${mindviz.url}#/health?runs=fine`);
  await expect(findings(page)).toHaveCount(1);
  await expect(page.getByRole('toolbar').getByRole('status')).toHaveText('1 issue');
  await expect(page.getByRole('banner').getByText('1 issue')).toBeVisible();
  await page.getByText('Selected runs', { exact: true }).click();
  await expect(page).toHaveURL(/of=selected/);
  await expect(page.locator('.empty')).toContainText(
    'No issues in the selected runs. (1 issue in other runs)',
  );
  await page.getByRole('button', { name: 'Show all runs' }).click();
  await expect(findings(page)).toHaveCount(1);
});

test('shows that all is well, or what to do without selected runs', async ({ page, mindviz }) => {
  writeLog(mindviz.file('fine', NAME), points(50));
  await page.goto(`${mindviz.url}#/health`);
  await expect(page.getByText('No issues found.')).toBeVisible();
  await page.goto(`${mindviz.url}#/health?runs=&of=selected`);
  await expect(page.getByText('Select a run to check')).toBeVisible();
});
