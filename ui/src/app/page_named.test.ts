import { expect, test } from 'vitest';

import { plugins } from '@/plugins/registry';

import { pageNamed } from './page_named';

test.each([
  ['/scalars', 'scalar'],
  ['/Scalar/', 'scalar'],
  ['/charts', 'scalar'],
  ['/images', 'image'],
  ['/graphs', 'graph'],
  ['/projector', 'embedding'],
  ['/custom-scalars', 'custom_scalars'],
  ['/distributions', 'histogram'],
  ['/model', 'graph'],
  ['/loss_landscape', 'landscape'],
])('%s is the page %s', (path, name) => {
  expect(pageNamed(path)?.name).toBe(name);
});

test('every page is found by its own name', () => {
  for (const { name } of plugins) expect(pageNamed(`/${name}`)?.name).toBe(name);
});

test('other names are no page', () => {
  expect(['/scalrs', '/', '/s', '/run/1'].map((path) => pageNamed(path)?.name)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
