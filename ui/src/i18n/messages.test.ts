import { expect, test } from 'vitest';

import { en } from './en';
import { zh } from './zh';

interface Tree {
  readonly [key: string]: string | Tree;
}

function flat(tree: Tree, path = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[path + key, value] as const] : [...flat(value, `${path}${key}.`)],
    ),
  );
}

const placeholders = (message: string): string[] => [
  ...new Set([...message.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)),
].sort();

test('every message has the same placeholders in both languages', () => {
  const chinese = flat(zh);
  for (const [key, message] of flat(en)) {
    expect(placeholders(chinese.get(key) ?? ''), key).toEqual(placeholders(message));
  }
});

test('nothing is left in English', () => {
  const same = [...flat(en)].filter(([key, message]) => flat(zh).get(key) === message && /[a-z]{4}/.test(message));
  expect(same.map(([key]) => key)).toEqual(['about.python']);
});
