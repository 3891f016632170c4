import { expect, test } from 'vitest';

import { readSelection, writeSelection, type SelectionState } from './selection_url';

const NONE: ReadonlySet<string> = new Set();
const ownColors: ReadonlyMap<string, number> = new Map();

const again = (state: SelectionState): SelectionState => {
  const read: SelectionState = {
    filter: 'x',
    choice: { kind: 'newest' },
    hidden: new Set(['x']),
    shown: new Set(['x']),
    ownColors,
  };
  readSelection(writeSelection(state), read);
  return read;
};

test.each([
  { filter: '', choice: { kind: 'newest' }, hidden: NONE, shown: NONE, ownColors },
  {
    filter: 'adam|sgd',
    choice: { kind: 'matching', filter: 'adam|sgd' },
    hidden: NONE,
    shown: NONE,
    ownColors,
  },
  {
    filter: 'adam',
    choice: { kind: 'matching', filter: '' },
    hidden: NONE,
    shown: NONE,
    ownColors,
  },
  {
    filter: '',
    choice: { kind: 'matching', filter: 'lr < 0.1' },
    hidden: new Set(['./a']),
    shown: NONE,
    ownColors,
  },
  { filter: '', choice: { kind: 'list', trainIds: [] }, hidden: NONE, shown: NONE, ownColors },
  { filter: '', choice: { kind: 'list', trainIds: ['./*'] }, hidden: NONE, shown: NONE, ownColors },
  {
    filter: '',
    choice: { kind: 'list', trainIds: ['./%2Aa'] },
    hidden: NONE,
    shown: NONE,
    ownColors,
  },
  {
    filter: '',
    choice: { kind: 'list', trainIds: ['./a/b', './', './c~d%7E', './100%', './*:'] },
    hidden: new Set(['./', './c~d%7E']),
    shown: new Set(['./a/b', './']),
    ownColors: new Map([
      ['./', 3],
      ['./c~d:%7E', 19],
    ]),
  },
] satisfies SelectionState[])('what is written is read again: %j', (state) => {
  expect(again(state)).toEqual(state);
});

test('ids are short and readable', () => {
  const state = { filter: '', choice: { kind: 'list', trainIds: ['./a', './b/c'] } } as const;
  expect(
    writeSelection({ ...state, hidden: new Set(['./b/c']), shown: new Set(['./a']), ownColors }),
  ).toMatchObject({
    runs: 'a~b/c',
    hide: 'b/c',
    show: 'a',
  });
});

test('a selection by filter stays what it was when the filter changes', () => {
  const choice = { kind: 'matching', filter: 'adam' } as const;
  expect(
    writeSelection({ filter: 'adam', choice, hidden: NONE, shown: NONE, ownColors })['runs'],
  ).toBe('*');
  expect(writeSelection({ filter: '', choice, hidden: NONE, shown: NONE, ownColors })['runs']).toBe(
    '*:adam',
  );
});
