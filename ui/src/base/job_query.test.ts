import { describe, expect, test } from 'vitest';

import { fieldsOf, isQuery, matcherOf, parseQuery, QueryError, quoted, type Value } from './job_query';

type Job = Record<string, Value>;

const jobs: Job[] = [
  { name: 'a', optimizer: 'Adam', lr: 0.1, seed: 1, 'val/loss': 0.5, ok: true },
  { name: 'b', optimizer: 'sgd', lr: 0.001, seed: 2, 'val/loss': null },
  { name: 'c', optimizer: 'AdamW', lr: NaN, seed: 10 },
];

function found(text: string): string {
  const matches = matcherOf<Job>(parseQuery(text), (field) => (job) => job[field]);
  return jobs.filter(matches).map((job) => String(job['name'])).join('');
}

function reason(text: string): string {
  try {
    parseQuery(text);
  } catch (error) {
    if (error instanceof QueryError) return `${error.reason} ${error.at}`;
  }
  return '';
}

test.each([
  ['optimizer = adam', 'a'],
  ['optimizer == adam', 'a'],
  ['optimizer != adam', 'bc'],
  ['lr < 0.01', 'b'],
  ['lr >= 1e-3', 'ab'],
  ['seed > 2', 'c'],
  ['seed in (1, 10)', 'ac'],
  ['optimizer ~ ^adam', 'ac'],
  ['optimizer !~ ^adam(w|x)$', 'ab'],
  ['(optimizer ~ w$)', 'c'],
  ['"val/loss" <= 0.5', 'a'],
  ['val/loss = none', 'bc'],
  ['ok = true', 'a'],
  ['nobody = 1', ''],
  ['nobody != 1', 'abc'],
  ['optimizer = adam or seed = 2 and lr > 1', 'a'],
  ['(optimizer = adam or seed = 2) and lr > 0.05', 'a'],
  ['not optimizer = adam and not (seed = 10)', 'b'],
  ['NOT optimizer = sgd AND seed >= 1', 'ac'],
])('%s finds %s', (text, names) => {
  expect(found(text)).toBe(names);
});

test.each([
  ['', 'field 0'], ['lr', 'operator 2'], ['lr <', 'value 4'], ['(lr < 1', 'close 7'],
  ['lr < 1 lr', 'end 7'], ['name ~ (', 'regex 7'], ['name = "a', 'quote 7'], ['seed in ()', 'value 9'],
])('“%s” is refused: %s', (text, why) => {
  expect(reason(text)).toBe(why);
});

test('a name or a regular expression is no question', () => {
  for (const text of ['adam', 'adam/run_[12].$', 'a|b', '^(a|b)$', 'lr0.1', 'a b', '']) expect(isQuery(text), text).toBe(false);
  for (const text of ['lr < 1', 'lr<1', '(lr=1', 'not a = 1', '"val loss" > 2', 'seed in (1']) expect(isQuery(text), text).toBe(true);
});

test('the fields of a question are known', () => {
  expect(fieldsOf(parseQuery('a = 1 and not (b in (1, 2) or "c d" ~ x)'))).toEqual(['a', 'b', 'c d']);
});

describe('a word', () => {
  test('is quoted where it would be misread', () => {
    expect(quoted('val/loss')).toBe('val/loss');
    expect(quoted('a b')).toBe('"a b"');
    expect(quoted('and')).toBe('"and"');
    expect(found(`${quoted('val/loss')} > 0`)).toBe('a');
  });
});
