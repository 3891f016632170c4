import { expect, test } from 'vitest';

import { readSelection, writeSelection, type SelectionState } from './selection_url';

const again = (state: SelectionState): SelectionState => {
  const read: SelectionState = { filter: 'x', choice: { kind: 'newest' } };
  readSelection(writeSelection(state), read);
  return read;
};

test.each([
  { filter: '', choice: { kind: 'newest' } },
  { filter: 'adam|sgd', choice: { kind: 'matching' } },
  { filter: '', choice: { kind: 'list', trainIds: [] } },
  { filter: '', choice: { kind: 'list', trainIds: ['./a/b', './', './c~d%7E', './100%', './*'] } },
] satisfies SelectionState[])('what is written is read again: %j', (state) => {
  expect(again(state)).toEqual(state);
});

test('ids are short and readable', () => {
  expect(
    writeSelection({ filter: '', choice: { kind: 'list', trainIds: ['./a', './b/c'] } })['runs'],
  ).toBe('a~b/c');
});
