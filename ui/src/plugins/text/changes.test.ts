import { describe, expect, it } from 'vitest';

import { changesOf, linesOf, shownChanges } from './changes';

describe('changesOf', () => {
  it('separates added from removed lines', () => {
    const changes = changesOf('a\nb\nc\n', 'a\nx\nc\nd\n');
    expect(changes.map(({ kind, lines }) => [kind, ...lines])).toEqual([
      ['same', 'a'],
      ['removed', 'b'],
      ['added', 'x'],
      ['same', 'c'],
      ['added', 'd'],
    ]);
    expect([linesOf(changes, 'added'), linesOf(changes, 'removed')]).toEqual([2, 1]);
  });

  it('of equal texts has no additions', () => {
    expect(linesOf(changesOf('a', 'a'), 'added')).toBe(0);
  });
});

describe('shownChanges', () => {
  it('omits unchanged lines far from any change', () => {
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`);
    const changed = lines.with(10, 'new');
    const shown = shownChanges(changesOf(`${lines.join('\n')}\n`, `${changed.join('\n')}\n`));
    expect(
      shown.map(({ kind, head, left, tail }) => [kind, head.length, left, tail.length]),
    ).toEqual([
      ['same', 0, 8, 2],
      ['removed', 1, 0, 0],
      ['added', 1, 0, 0],
      ['same', 2, 7, 0],
    ]);
  });
});
