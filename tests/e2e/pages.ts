import { card } from './mindviz';
/** Every page and its visible content, for tests that cover all pages. */
import type { Locator, Page } from '@playwright/test';

/** A page, or a view of one that shows another kind of data. */
export interface Shown {
  readonly name: string;
  /** The part of the URL after the `?`. */
  readonly state?: string;
  /** An element that exists once the data of `written_everything.py` is drawn, in any language. */
  readonly seen: (page: Page) => readonly Locator[];
}

const tag = (page: Page, name: string): Locator => card(page, name).first();

export const PAGES: readonly Shown[] = [
  {
    name: 'runs',
    seen: (page) => [
      page.locator('.run').nth(5),
      page.getByRole('button', { name: /^(Columns|列)$/ }),
    ],
  },
  {
    name: 'runs',
    state: 'job=./kinds/first',
    seen: (page) =>
      ['scalar', 'image', 'histogram', 'text', 'mesh'].map((kind) =>
        page.locator(`article.${kind}`),
      ),
  },
  { name: 'scalar', seen: (page) => [tag(page, 'loss').locator('.line-chart canvas').first()] },
  {
    name: 'custom_scalars',
    seen: (page) => [tag(page, 'Training/Losses').locator('.line-chart canvas').first()],
  },
  { name: 'compare', seen: (page) => [page.locator('table.facts tbody th.first').first()] },
  {
    name: 'compare',
    state: 'view=image&runs=kinds/first~kinds/second',
    seen: (page) => [0, 1].map((i) => page.locator('section[aria-label="view/camera"] img').nth(i)),
  },
  { name: 'histogram', seen: (page) => [tag(page, 'layer/kernel').locator('.histogram-chart')] },
  { name: 'media', seen: (page) => [tag(page, 'notes').locator('strong')] },
  { name: 'image', seen: (page) => [tag(page, 'view/camera').locator('img')] },
  { name: 'tensor', seen: (page) => [tag(page, 'layer/kernel').getByRole('table')] },
  { name: 'text', seen: (page) => [tag(page, 'notes').locator('strong')] },
  { name: 'audio', seen: (page) => [tag(page, 'speech').locator('input[type=range]')] },
  { name: 'curves', seen: (page) => [tag(page, 'detector').locator('path.curve').first()] },
  { name: 'mesh', seen: (page) => [tag(page, 'shape').locator('.badge')] },
  { name: 'mesh', state: 'as=table', seen: (page) => [tag(page, 'shape').getByRole('row').nth(4)] },
  { name: 'embedding', seen: (page) => [tag(page, 'words').locator('canvas')] },
  { name: 'graph', seen: (page) => [page.locator('[data-node="Default/body"]')] },
  { name: 'graph', state: 'show=dataset', seen: (page) => [page.locator('[data-node]').first()] },
  {
    name: 'sweep',
    seen: (page) => [
      page.locator('.model canvas').first(),
      page.locator('.model table[aria-rowcount]'),
      page.getByRole('cell', { name: 'sgd', exact: true }),
    ],
  },
  { name: 'data_lineage', seen: (page) => [page.locator('.branch dl').first()] },
  { name: 'landscape', seen: (page) => [page.locator('article canvas').first()] },
  { name: 'health', seen: (page) => [page.locator('main article:not(.card)').first()] },
  { name: 'other', seen: (page) => [tag(page, 'matrix').getByRole('row').nth(1)] },
];

/** Each page once. */
export const NAMES: readonly string[] = [...new Set(PAGES.map(({ name }) => name))];

export const titleOf = ({ name, state }: Shown): string => (state ? `${name} (${state})` : name);

/** The path after the server's address. */
export const urlOf = ({ name, state }: Shown): string => `#/${name}${state ? `?${state}` : ''}`;
