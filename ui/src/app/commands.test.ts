import { expect, test } from 'vitest';

import { findCommands, markedParts, type Command } from './commands';

const commands = ['train/loss', 'loss', 'eval/loss', 'lossless', 'Switch log y', 'adam_loss'].map(
  (name): Command => ({ kind: 'action', name, run: () => name }),
);
const names = (text: string): string[] => findCommands(commands, text).map(({ name }) => name);

test('all words must match, in any order and case', () => {
  expect(names('LOG switch')).toEqual(['Switch log y']);
  expect(names('switch off')).toEqual([]);
});

test('matches at the start of the text come first, then matches at the start of a word', () => {
  expect(names('loss')).toEqual(['loss', 'lossless', 'eval/loss', 'adam_loss', 'train/loss']);
});

test('an empty filter matches everything and keeps the order', () => {
  expect(names('')).toEqual(commands.map(({ name }) => name));
});

test('the first match of each word is marked', () => {
  expect(markedParts('Train/Loss', 'loss tr')).toEqual([
    { text: 'Tr', marked: true },
    { text: 'ain/', marked: false },
    { text: 'Loss', marked: true },
  ]);
  expect(markedParts('loss', '')).toEqual([{ text: 'loss', marked: false }]);
});
