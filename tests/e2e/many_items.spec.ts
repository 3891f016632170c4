import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Locator, Page } from '@playwright/test';

import { writeMany } from './kinds';
import { card, expect, inOpenPage, Mindviz, test as base } from './mindviz';

const KINDS = [
  'scalar',
  'histogram',
  'image',
  'text',
  'tensor',
  'audio',
  'curves',
  'mesh',
  'embedding',
  'landscape',
  'layout',
  'other',
  'health',
];
/** Milliseconds for the first answer, of all values of ten thousand, on a busy machine. */
const FIRST_READ = 60_000;
/** Limits for showing one screen of ten thousand items. */
const MOST_CARDS = 60;
const MOST_REQUESTS = 60;

const test = inOpenPage.extend<object, { many: Mindviz }>({
  many: [
    async ({}, use) => {
      const mindviz = await Mindviz.start();
      writeMany(mindviz.logs, KINDS);
      await mindviz.loaded(KINDS.length);
      await use(mindviz);
      await mindviz.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

const tag = (page: Page, name: string): Locator => card(page, name);
const cell = (page: Page, text: string): Locator =>
  page.getByRole('cell', { name: text, exact: true });

interface Many {
  readonly state: string;
  /** An element that is visible at first, and one at the end of the list. */
  readonly first: (page: Page) => Locator;
  readonly last?: (page: Page) => Locator;
}

const PAGES: readonly Many[] = [
  {
    state: 'scalar?runs=scalar',
    first: (page) => tag(page, 'layer_0/value_0').locator('.bars'),
    last: (page) => tag(page, 'layer_1999/value_9999'),
  },
  { state: 'runs?job=./scalar', first: (page) => page.getByText('9,992 more') },
  {
    state: 'custom_scalars?runs=layout',
    first: (page) => tag(page, 'Training/Chart 0').locator('.line-chart'),
    last: (page) => tag(page, 'Training/Chart 9999'),
  },
  {
    state: 'compare?runs=scalar~health&view=scalar',
    first: (page) => tag(page, 'loss').locator('.bars'),
    last: (page) => tag(page, 'layer_1999/value_9999'),
  },
  {
    state: 'compare?runs=scalar~health&view=parameters',
    first: (page) => page.locator('table.facts tbody th.first').first(),
    last: (page) => page.locator('table.facts tr:last-child[aria-rowindex] th.first'),
  },
  {
    state: 'compare?runs=text~scalar&view=text',
    first: (page) => page.locator('section[aria-label="diary"] article'),
    last: (page) => page.locator('section[aria-label="note_9999"] article'),
  },
  {
    state: 'histogram?runs=histogram',
    first: (page) => tag(page, 'weight').getByText('of 10k steps'),
  },
  {
    state: 'histogram?runs=histogram&mode=bands',
    first: (page) => tag(page, 'weight').locator('.line-chart'),
  },
  { state: 'image?runs=image', first: (page) => tag(page, 'camera').locator('img') },
  {
    state: 'tensor?runs=tensor',
    first: (page) =>
      tag(page, 'kernel').getByText('10,000, 100').or(tag(page, 'kernel').locator('td')).first(),
  },
  {
    state: 'text?runs=text',
    first: (page) => tag(page, 'diary').getByText('day 9999'),
    last: (page) => tag(page, 'note_9999').getByText('note 9999'),
  },
  {
    state: 'text?runs=text&show=changes&tags=diary',
    first: (page) => tag(page, 'diary').getByText('day 9998'),
  },
  {
    state: 'audio?runs=audio',
    first: (page) => tag(page, 'clip_0').getByText('0:00.1 · 8 kHz').first(),
    last: (page) => tag(page, 'clip_9999'),
  },
  {
    state: 'curves?runs=curves',
    first: (page) => tag(page, 'detector').getByText('512 of 10k steps'),
  },
  {
    state: 'curves?runs=curves&show=time',
    first: (page) => tag(page, 'detector').locator('.line-chart'),
  },
  { state: 'mesh?runs=mesh', first: (page) => tag(page, 'sheet').getByText(/10k points/) },
  {
    state: 'mesh?runs=mesh&as=table',
    first: (page) => cell(page, '0'),
    last: (page) => cell(page, '9999'),
  },
  {
    state: 'embedding?runs=embedding',
    first: (page) => tag(page, 'words').getByText(/10k points/),
  },
  {
    state: 'landscape?runs=landscape',
    first: (page) => page.locator('article canvas').first(),
  },
  {
    state: 'landscape?runs=landscape&as=table',
    first: (page) => cell(page, '1'),
    last: (page) => cell(page, '10,000'),
  },
  { state: 'health?runs=health', first: (page) => page.locator('main article:not(.card)').first() },
  { state: 'health?runs=scalar', first: (page) => page.locator('main article:not(.card)').first() },
  {
    state: 'other?runs=other',
    first: (page) => tag(page, 'matrix_0').locator('td').first(),
    last: (page) => tag(page, 'matrix_9999'),
  },
];

/** Scrolls every scrollable element to its end. */
function scrollDown(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const element of document.querySelectorAll('main *')) {
      if (['auto', 'scroll'].includes(getComputedStyle(element).overflowY))
        element.scrollTop = element.scrollHeight;
    }
  });
}

for (const { state, first, last } of PAGES) {
  test(`${state} renders and requests only the visible ones of ten thousand items`, async ({
    page,
    many,
    requests,
  }) => {
    test.slow();
    await page.goto(`${many.url}#/${state}`);
    await expect(first(page)).toBeVisible({ timeout: FIRST_READ });
    if (last) {
      await scrollDown(page);
      await expect(last(page).first()).toBeVisible({ timeout: FIRST_READ });
    }
    expect(await page.locator('article.card').count()).toBeLessThan(MOST_CARDS);
    expect(await page.locator('main *').count()).toBeLessThan(12_000);
    expect(await page.getByRole('row').count()).toBeLessThan(400);
    const asked = requests.filter(
      ({ pathname }) =>
        /\/(series|datavisual|graphs|lineagemgr)\//.test(pathname) &&
        !pathname.endsWith('/blob') &&
        !pathname.includes('/train-job'),
    );
    expect(asked.length).toBeLessThan(MOST_REQUESTS);
  });
}

// More than charts draw: loading, checking and ranking ten thousand takes the server 45 s of CPU.
base('over a thousand runs are a table, groups and differences', async ({ page, requests }) => {
  base.slow();
  const logs = mkdtempSync(join(tmpdir(), 'mindviz-e2e-'));
  writeMany(logs, ['runs']);
  const mindviz = await Mindviz.start({ logs });
  await page.goto(`${mindviz.url}#/runs?runs=*`);
  await expect(page.getByText('1,200 of 1,200')).toBeVisible({ timeout: 120_000 });
  expect(await page.locator('.run').count()).toBeLessThan(MOST_CARDS);
  const seen: readonly (readonly [state: string, what: Locator])[] = [
    ['sweep', page.getByRole('status').filter({ hasText: '1,200 runs' })],
    ['sweep?scatter=1', page.locator('.echart canvas').first()],
    ['scalar', page.getByText('Showing 1,000 of 1,200 selected runs')],
    ['compare', page.locator('table.facts tbody th.first').first()],
    ['health', page.locator('main article, .empty').first()],
    ['graph', page.locator('.empty')],
  ];
  for (const [state, what] of seen) {
    requests.length = 0;
    await page.goto(`${mindviz.url}#/${state}${state.includes('?') ? '&' : '?'}runs=*`);
    await expect(what, state).toBeVisible({ timeout: 60_000 });
    expect(await page.locator('article, tr, [role=row]').count(), state).toBeLessThan(400);
    expect(await page.locator('main *').count(), state).toBeLessThan(5_000);
    // Issues are requested repeatedly while the server checks the runs.
    const asked = requests.filter(({ pathname }) => !pathname.endsWith('/findings'));
    expect(asked.length, state).toBeLessThan(60);
    if (state === 'health') {
      await expect(page.getByText('No issues found.')).toBeVisible({ timeout: 60_000 });
      expect(requests.filter(({ pathname }) => pathname.includes('/series')).length).toBe(0);
    }
  }
  await page.goto('about:blank');
  await mindviz.stop();
  rmSync(logs, { recursive: true });
});
