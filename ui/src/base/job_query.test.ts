import { describe, expect, test } from 'vitest';

import {
  conditionOf,
  fieldsOf,
  isQuery,
  lastName,
  matcherOf,
  parseQuery,
  QueryError,
  quoted,
  withNames,
  type Condition,
  type Operator,
  type Value,
} from './job_query';

type Job = Record<string, Value>;

const jobs: Job[] = [
  { name: 'a', optimizer: 'Adam', lr: 0.1, seed: 1, 'val/loss': 0.5, ok: true },
  { name: 'b', optimizer: 'sgd', lr: 0.001, seed: 2, 'val/loss': null },
  { name: 'c', optimizer: 'AdamW', lr: NaN, seed: 10 },
];

const namesOf = (job: Job): string[] => [String(job['name']), `run ${String(job['name'])}.1`];

function found(text: string): string {
  const matches = matcherOf<Job>(parseQuery(text), (field) => (job) => job[field], namesOf);
  return jobs
    .filter(matches)
    .map((job) => String(job['name']))
    .join('');
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
  ['a or b and not lr < 0.01', 'a'],
  ['(a or b) and lr < 0.01', 'b'],
  ['not [ab]$ and RUN', 'c'],
  ['"N A."', 'a'],
  ["'[ab]' or seed = 10", 'c'],
])('%s finds %s', (text, names) => {
  expect(found(text)).toBe(names);
});

test.each([
  ['', 'field 0'],
  ['a and', 'field 5'],
  ['a or and', 'field 5'],
  ['not', 'field 3'],
  ['a in', 'value 4'],
  ['a b', 'end 2'],
  ['lr <', 'value 4'],
  ['(lr < 1', 'close 7'],
  ['lr < 1 lr', 'end 7'],
  ['name ~ (', 'regex 7'],
  ['name = "a', 'quote 7'],
  ['seed in ()', 'value 9'],
])('“%s” is rejected: %s', (text, why) => {
  expect(reason(text)).toBe(why);
});

test('a regular expression over names alone is not a query', () => {
  for (const text of [
    'adam',
    'adam/run_[12].$',
    'a|b',
    '^(a|b)$',
    'lr0.1',
    'a b',
    'band',
    'ab(lr=1)',
    'do not',
    '',
  ])
    expect(isQuery(text), text).toBe(false);
  for (const text of [
    'lr < 1',
    'lr<1',
    '(lr=1',
    'not a = 1',
    '"val loss" > 2',
    'seed in (1',
    'lenet and not lr < 1',
    'not a',
    '"a"',
    '(a or b)',
    'a and',
  ]) {
    expect(isQuery(text), text).toBe(true);
  }
  expect(conditionOf(' a|b c ')).toEqual({ kind: 'name', text: 'a|b c', literal: false });
  expect(conditionOf(' ')).toBeNull();
});

test('finds the word at the cursor', () => {
  const typed = (text: string): string | null => lastName(text)?.text ?? null;
  for (const [text, word] of [
    ['opt', 'opt'],
    ['lenet and opt', 'opt'],
    ['lenet an', 'an'],
    ['(not l', 'l'],
    ['a and lr ', 'lr'],
  ])
    expect(typed(text ?? ''), text).toBe(word);
  for (const text of ['', 'lr < 1', 'a and', 'not', 'x in (a, b', '"a', "it's"])
    expect(typed(text), text).toBeNull();
});

test('lists the fields of a query', () => {
  expect(fieldsOf(parseQuery('a = 1 and not (b in (1, 2) or "c d" ~ x)'))).toEqual([
    'a',
    'b',
    'c d',
  ]);
});

describe('a word', () => {
  test('is quoted if it would be misread', () => {
    expect(quoted('val/loss')).toBe('val/loss');
    expect(quoted('a b')).toBe('"a b"');
    expect(quoted('and')).toBe('"and"');
    expect(found(`${quoted('val/loss')} > 0`)).toBe('a');
  });
});

/** Pseudorandom numbers with a seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const WORDS = [
  'name',
  'lr',
  'val/loss',
  'a b',
  'and',
  'NOT',
  'in',
  'x=1',
  "it's",
  '(',
  '"',
  '^a',
  'a.1',
  '0.1',
  'none',
  'Ünder',
  'c,d',
];
const OPERATORS: readonly Operator[] = ['=', '!=', '<', '<=', '>', '>=', '~', '!~'];

function madeUp(roll: (sides: number) => number, depth: number): Condition {
  const word = (): string => WORDS[roll(WORDS.length)] ?? '';
  const some = <Part>(make: () => Part): Part[] => Array.from({ length: 2 + roll(2) }, make);
  switch (roll(depth > 0 ? 6 : 3)) {
    case 0: {
      const operator = OPERATORS[roll(OPERATORS.length)] ?? '=';
      return {
        kind: 'compare',
        field: word(),
        operator,
        value: operator.endsWith('~') ? `^${roll(9)}.[a-c]?$` : word(),
      };
    }
    case 1:
      return { kind: 'in', field: word(), values: some(word) };
    case 2: {
      const text = word();
      return {
        kind: 'name',
        text,
        literal: (quoted(text) !== text && text !== '^a') || roll(2) === 0,
      };
    }
    case 3:
      return { kind: 'not', part: madeUp(roll, depth - 1) };
    default:
      return { kind: roll(2) ? 'and' : 'or', parts: some(() => madeUp(roll, depth - 1)) };
  }
}

const asText = (text: string): string => (text.includes('"') ? `'${text}'` : `"${text}"`);

function printed(condition: Condition): string {
  const part = (one: Condition): string =>
    one.kind === 'and' || one.kind === 'or' ? `(${printed(one)})` : printed(one);
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.map(part).join(` ${condition.kind} `);
    case 'not':
      return `not ${part(condition.part)}`;
    case 'name':
      return condition.literal ? asText(condition.text) : condition.text;
    case 'in':
      return `${quoted(condition.field)} in (${condition.values.map(quoted).join(', ')})`;
    case 'compare': {
      const { field, operator, value } = condition;
      return `${quoted(field)} ${operator} ${operator.endsWith('~') ? asText(value) : quoted(value)}`;
    }
  }
}

function isSame(value: Value, wanted: string): boolean {
  if (value === null || value === undefined) return wanted.toLowerCase() === 'none';
  return typeof value === 'number'
    ? value === Number(wanted)
    : String(value).toLowerCase() === wanted.toLowerCase();
}

/** A naive implementation of conditions. */
function holds(condition: Condition, job: Job): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.parts.filter((part) => !holds(part, job)).length === 0;
    case 'or':
      return condition.parts.filter((part) => holds(part, job)).length > 0;
    case 'not':
      return !holds(condition.part, job);
    case 'name': {
      const expression = condition.literal
        ? condition.text.replace(/[^\w\s]/gu, '\\$&')
        : condition.text;
      return namesOf(job).filter((name) => new RegExp(expression, 'i').test(name)).length > 0;
    }
    case 'in':
      return condition.values.filter((value) => isSame(job[condition.field], value)).length > 0;
    case 'compare': {
      const { field, operator, value: wanted } = condition;
      const value = job[field];
      const isFound = (): boolean =>
        value !== null && value !== undefined && new RegExp(wanted, 'i').test(String(value));
      const [left, right] =
        typeof value === 'number'
          ? [value, Number(wanted)]
          : typeof value === 'string' && Number.isNaN(Number(wanted))
            ? [value, wanted]
            : [NaN, NaN];
      switch (operator) {
        case '=':
          return isSame(value, wanted);
        case '!=':
          return !isSame(value, wanted);
        case '~':
          return isFound();
        case '!~':
          return !isFound();
        case '<':
          return left < right;
        case '<=':
          return left <= right;
        case '>':
          return left > right;
        case '>=':
          return left >= right;
      }
    }
  }
}

test('printed queries parse to the same query and match the naive implementation', () => {
  const roll = dice(7);
  const people: Job[] = [
    ...jobs,
    { name: 'Ünder^', lr: 'a b', and: 0.1, 'a b': 'none', 'x=1': true, in: '0.1', 'val/loss': 5 },
  ];
  for (let i = 0; i < 2_000; i++) {
    const condition = madeUp(roll, 3);
    const text = printed(condition);
    expect(parseQuery(text), text).toEqual(condition);
    if (condition.kind !== 'name') expect(isQuery(text), text).toBe(true);
    const matches = matcherOf<Job>(condition, (field) => (job) => job[field], namesOf);
    for (const job of people)
      expect(matches(job), `${text} of ${String(job['name'])}`).toBe(holds(condition, job));
  }
});

describe('a filter with further names', () => {
  const names = ['lenet_1', 'resnet "a"', 'x'];
  const matched = (filter: string | null): string[] => {
    const condition = conditionOf(filter ?? '');
    const test =
      condition &&
      matcherOf<string>(
        condition,
        () => (name) => name,
        (name) => [name, `label of ${name}`],
      );
    return names.filter((name) => test?.(name) ?? true);
  };

  test('matches what it did, and these', () => {
    for (const filter of [
      'lenet',
      'lenet_[12]',
      'lenet.*$',
      'not x and not resnet',
      'name = lenet_1',
    ])
      expect(matched(withNames(filter, ['x'])), filter).toEqual(['lenet_1', 'x']);
    expect(matched(withNames('lenet[', ['resnet "a"']))).toEqual(['resnet "a"']);
    expect(matched(withNames('label.of.l', ['x']))).toEqual(['lenet_1', 'x']);
    expect(withNames('', ['x'])).toBe('');
  });

  test('gets more names in one list, whatever it is', () => {
    for (const filter of ['lenet', 'not x and not resnet', 'lr > 1 or a = b', '(a or b)']) {
      const once = withNames(filter, ['x', 'a b']);
      expect(withNames(once ?? '', ['y']), filter).toBe(withNames(filter, ['x', 'a b', 'y']));
    }
    // The list is within brackets or a text here.
    for (const filter of ['not (a or name in (b))', 'label = "b or name in (x)"'])
      expect(withNames(filter, ['y']), filter).toBe(`(${filter}) or name in (y)`);
  });

  test('is none if a name cannot be quoted, or the server would refuse it', () => {
    expect(withNames('lenet', [`"'`])).toBeNull();
    expect(withNames('lenet', ['x'.repeat(20_000)])).toBeNull();
  });
});
