import { expect, test } from 'vitest';

import { findCommands, type Command } from './commands';

const commands = ['train/loss', 'loss', 'eval/loss', 'lossless', 'Switch log y', 'adam_loss'].map(
  (name): Command => ({ kind: 'action', name, run: () => name }),
);
const names = (text: string): string[] => findCommands(commands, text).map(({ name }) => name);

test('all words have to be there, in any order and case', () => {
  expect(names('LOG switch')).toEqual(['Switch log y']);
  expect(names('switch off')).toEqual([]);
});

test('what begins with the text comes first, then where a word does', () => {
  expect(names('loss')).toEqual(['loss', 'lossless', 'eval/loss', 'adam_loss', 'train/loss']);
});

test('nothing finds everything, as it came', () => {
  expect(names('')).toEqual(commands.map(({ name }) => name));
});
