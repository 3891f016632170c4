import { expect, test } from 'vitest';

import { questionPieces } from './question_pieces';

const names = (count: number, name = 'n'): string[] =>
  Array.from({ length: count }, (_, i) => `${name}${i}`);

test('a small request is not split', () => {
  expect(questionPieces(names(3), names(4))).toEqual([[names(3), names(4)]]);
});

test('every job and tag is requested once, in small pieces', () => {
  const pieces = questionPieces(names(130), names(9));
  expect(pieces.every(([ids, tags]) => ids.length * tags.length <= 200)).toBe(true);
  const pairs = pieces.flatMap(([ids, tags]) =>
    ids.flatMap((id) => tags.map((tag) => `${id} ${tag}`)),
  );
  expect(pairs).toHaveLength(130 * 9);
  expect(new Set(pairs).size).toBe(130 * 9);
});

test('long names make smaller but never empty pieces', () => {
  const pieces = questionPieces(['./a'], names(5, '标'.repeat(900)));
  expect(pieces.map(([, tags]) => tags.length)).toEqual([1, 1, 1, 1, 1]);
});

test('an empty request has no pieces', () => {
  expect(questionPieces([], names(2))).toEqual([]);
});

test('the first piece is small if a user waits for it', () => {
  const pieces = questionPieces(names(40), names(12, 't'), 80);
  expect(pieces.map(([, tags]) => tags.length)).toEqual([2, 5, 5]);
  expect(pieces.flatMap(([, tags]) => tags)).toEqual(names(12, 't'));
});
