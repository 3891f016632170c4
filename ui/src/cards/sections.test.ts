import { describe, expect, test } from 'vitest';

import { breaksOf, rowsOf, sectionsOf } from './sections';

const cardsOf = (tags: readonly string[]) => tags.map((tag) => ({ key: tag, tag }));
const sections = sectionsOf(
  cardsOf([
    'train/loss',
    'lr',
    'train/acc',
    'eval/loss',
    '',
    'a/b/c',
    'train/loss_10',
    'train/loss_2',
  ]),
);

test('tags are grouped by the part before their first slash; tags without one come first', () => {
  expect(sections.map(({ name, cards }) => [name, ...cards.map((card) => card.tag)])).toEqual([
    ['', '', 'lr'],
    ['a', 'a/b/c'],
    ['eval', 'eval/loss'],
    ['train', 'train/acc', 'train/loss', 'train/loss_2', 'train/loss_10'],
  ]);
});

test('cards of one tag stay together and in order, and count as one tag', () => {
  const [section] = sectionsOf([
    { key: 'b', tag: 't' },
    { key: 'z', tag: 'a' },
    { key: 'a', tag: 't' },
  ]);
  expect(section?.cards.map((card) => card.key)).toEqual(['z', 'b', 'a']);
  expect(section?.tags).toBe(2);
});

describe('rows', () => {
  const shape = (...rest: Parameters<typeof rowsOf>): string[] =>
    rowsOf(...rest).map((row) =>
      row.kind === 'section'
        ? `# ${row.section.name}`
        : `${row.kind === 'large' ? '! ' : ''}${row.cards.map((card) => card.tag).join(' ')}`,
    );

  test('hold as many cards as there are columns', () => {
    expect(shape(sections.slice(3), 3, new Set(), null)).toEqual([
      '# train',
      'train/acc train/loss train/loss_2',
      'train/loss_10',
    ]);
  });

  test('keep the cards of a tag together where they fit', () => {
    const several = sectionsOf(
      ['a', 'b', 'b', 'b', 'c', 'c', 'd', 'd', 'd', 'd', 'e'].map((tag, i) => ({
        key: String(i),
        tag,
      })),
    );
    expect(shape(several, 3, null, null)).toEqual(['a', 'b b b', 'c c', 'd d d', 'd e']);
    expect(shape(several, 6, null, null)).toEqual(['a b b b c c', 'd d d d e']);
  });

  test('break between tags with several cards', () => {
    expect(breaksOf(cardsOf(['a', 'a', 'b', 'c']))).toEqual([2, 3]);
    expect(breaksOf(cardsOf(['a', 'b', 'c']))).toEqual([]);
    expect(breaksOf(cardsOf(['a', 'a']))).toEqual([]);
  });

  test('of a folded section are omitted', () => {
    expect(shape(sections.slice(2), 2, new Set(['train']), null)).toEqual([
      '# eval',
      'eval/loss',
      '# train',
    ]);
  });

  test('an enlarged card has its own row', () => {
    expect(shape(sections.slice(3), 2, new Set(), 'train/loss')).toEqual([
      '# train',
      'train/acc',
      '! train/loss',
      'train/loss_2 train/loss_10',
    ]);
  });

  test('have unique keys', () => {
    const keys = rowsOf(sections, 1, new Set(), 'lr').map((row) => row.key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
