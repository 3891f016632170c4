import { expect, test } from 'vitest';

import { placeIn } from './query_completion';

const shape = (text: string): string => {
  const { kind, field, typed, from } = placeIn(text);
  return `${kind} ${field}|${typed}@${from}`;
};

test.each([
  ['', 'field |@0'],
  ['opt', 'field |opt@0'],
  ['optimizer ', 'operator |@10'],
  ['optimizer =', 'value optimizer|@11'],
  ['optimizer = ad', 'value optimizer|ad@12'],
  ['optimizer = adam ', 'joint |@17'],
  ['optimizer = adam an', 'joint |an@17'],
  ['optimizer = adam and l', 'field |l@21'],
  ['(not l', 'field |l@5'],
  ['a = 1 and (b', 'field |b@11'],
  ['a in (x, y', 'value a|y@9'],
  ['a in (', 'value a|@6'],
  ['(a = 1) ', 'joint |@8'],
  ['"val loss', 'field |val loss@0'],
  ['a = "x y', 'value a|x y@4'],
])('after “%s” suggests: %s', (text, expected) => {
  expect(shape(text)).toBe(expected);
});
