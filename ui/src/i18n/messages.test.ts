import { expect, test } from 'vitest';

import { en } from './en';
import type { MessageTree, PageMessages } from './page_messages';
import { zh } from './zh';

const pages = import.meta.glob<PageMessages>('../plugins/*/messages.ts', { eager: true });
const sources = import.meta.glob<string>(['../**/*.{ts,vue}', '!../**/*.test.ts'], {
  eager: true,
  query: '?raw',
  import: 'default',
});
const declarations = import.meta.glob<{ title?: { en: string; zh: string } } | undefined>(
  '../plugins/*/plugin.ts',
  { eager: true, import: 'plugin' },
);

const pageName = (path: string): string => path.split('/').at(-2) ?? '';

function all(language: 'en' | 'zh'): MessageTree {
  return {
    ...(language === 'en' ? en : zh),
    ...Object.fromEntries(
      Object.entries(pages).map(([path, messages]) => [pageName(path), messages[language]]),
    ),
  };
}

function flat(tree: MessageTree, path = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string'
        ? [[path + key, value] as const]
        : [...flat(value, `${path}${key}.`)],
    ),
  );
}

const english = flat(all('en'));
const chinese = flat(all('zh'));

const placeholders = (message: string): string[] =>
  [...new Set([...message.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort();

test('no page uses the name of the shell’s messages', () => {
  for (const path of Object.keys(pages)) expect(Object.keys(en)).not.toContain(pageName(path));
});

test('both languages have the same messages', () => {
  expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
});

test('every message has the same placeholders in both languages', () => {
  for (const [key, message] of english) {
    expect(placeholders(chinese.get(key) ?? ''), key).toEqual(placeholders(message));
  }
});

test('no message is left in English', () => {
  const same = [...english].filter(
    ([key, message]) =>
      chinese.get(key) === message && /[a-z]{4}/.test(message) && !SAME.has(message),
  );
  expect(same.map(([key]) => key)).toEqual([]);
});

/** Names that are the same in every language. */
const SAME = new Set(['Python', 'Viridis', 'Cividis', 'Inferno']);

test('every page has a title in both languages', () => {
  for (const [path, plugin] of Object.entries(declarations)) {
    if (!plugin) continue;
    expect(plugin.title?.en, path).toMatch(/\S/);
    expect(plugin.title?.zh, path).toMatch(/\S/);
  }
});

test('every requested message exists', () => {
  const trees = new Set(
    [...english.keys()].flatMap((key) =>
      key.split('.').map((_, i, parts) => parts.slice(0, i).join('.')),
    ),
  );
  const missing: string[] = [];
  for (const [path, source] of Object.entries(sources)) {
    const asked = [
      ...source.matchAll(/(?<![\w.])te?\(\s*(?:[\w.!= ']+ \? )?'([a-z]\w*(?:\.\w+)+)'/g),
      ...source.matchAll(/keypath="([^"]+)"/g),
    ];
    for (const [, key = ''] of asked)
      if (!english.has(key) && !key.startsWith('page.')) missing.push(`${path}: ${key}`);
    for (const [, key = ''] of source.matchAll(/ words="([\w.]+)"/g))
      if (!trees.has(key)) missing.push(`${path}: ${key}.*`);
    for (const [, key = ''] of source.matchAll(/(?<![\w.])te?\(`([a-z]\w*(?:\.\w+)*)\.\$\{/g)) {
      if (!trees.has(key) && key !== 'page' && key !== 'place') missing.push(`${path}: ${key}.*`);
    }
  }
  expect(missing).toEqual([]);
});

test('every message is used', () => {
  const code = Object.entries(sources)
    .filter(([path]) => !/\/(?:messages|en|zh)\.ts$/.test(path))
    .map(([, source]) => source)
    .join('\n');
  // 'a.key', "a.key", or `a.${what}` with any second part.
  const whole = new Set(
    [...code.matchAll(/['"`]([a-z]\w*(?:\.\w+)+)['"`]/g)].map(([, key = '']) => key),
  );
  const starts = [
    ...new Set(
      [...code.matchAll(/(?:`| words=")([a-z]\w*\.?(?:\w+\.)*\w*)(?:\$\{|")/g)].map(
        ([, start = '']) => start,
      ),
    ),
  ];
  const unasked = [...english.keys()].filter(
    (key) => !whole.has(key) && !starts.some((start) => key.startsWith(start)),
  );
  expect(unasked).toEqual([]);
});
