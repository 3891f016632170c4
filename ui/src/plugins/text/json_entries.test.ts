import { expect, test } from 'vitest';

import { jsonEntries } from './json_entries';

test('the fields of a JSON object, as logged', () => {
  expect(jsonEntries(' {"lr": 5e-05, "name": "a", "none": null, "betas": [0.9, 0.99]}\n')).toEqual([
    ['lr', '5e-05'],
    ['name', 'a'],
    ['none', 'null'],
    ['betas', '[0.9, 0.99]'],
  ]);
  const seed =
    '{"seed": 9007199254740993, "wd": 0.10, "opt": {"a": [1.0, {}], "b": "x, y: {"}, "q\\"": ""}';
  expect(jsonEntries(seed)).toEqual([
    ['seed', '9007199254740993'],
    ['wd', '0.10'],
    ['opt', '{"a": [1.0, {}], "b": "x, y: {"}'],
    ['q"', ''],
  ]);
  expect(jsonEntries('```json\n{"a": true}\n```')).toEqual([['a', 'true']]);
});

test('other texts have none', () => {
  for (const text of ['', 'words', '{not json}', '[1]', '{"a": 1} and more', '{}'])
    expect(jsonEntries(text)).toEqual([]);
});
