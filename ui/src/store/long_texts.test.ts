import { beforeEach, expect, test, vi } from 'vitest';

import { textField } from '@/base/url_fields';

import { storedField, wholeLink, wholeQuery } from './long_texts';

const items = new Map<string, string>();

beforeEach(() => {
  items.clear();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => items.set(name, text),
  });
});

const field = storedField(textField());
const long = 'a/b&c='.repeat(700);

test('a short text is in the URL, a long one in the browser', () => {
  expect(field.write('short')).toBe('short');
  expect(field.write(long).length).toBeLessThan(30);
  expect(field.read(field.write(long))).toBe(long);
  expect(field.read(long)).toBe(long);
});

test('links and saved views have the long text', () => {
  const name = field.write(long);
  expect(wholeQuery({ cards: name, runs: '*', none: undefined })).toEqual({
    cards: long,
    runs: '*',
    none: undefined,
  });
  for (const written of [name, encodeURIComponent(name)]) {
    const link = wholeLink(`http://host/#/scalar?runs=*&cards=${written}&x=1`);
    expect(link).toBe(`http://host/#/scalar?runs=*&cards=${encodeURIComponent(long)}&x=1`);
  }
});
