import { describe, expect, test } from 'vitest';

import { breaksOf, columnsFor, rowsOf, sectionsOf, type CardPlace, type Grid } from './sections';

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

test('few cards share the width, up to a sensible size', () => {
  const columns = (cards: number, page: number): number => columnsFor(cards, page, 400, 12);
  expect([9, 4, 3, 2, 1].map((cards) => columns(cards, 1_960))).toEqual([4, 4, 3, 2, 2]);
  expect([9, 2, 1].map((cards) => columns(cards, 1_300))).toEqual([3, 2, 2]);
  expect(columns(1, 3_800)).toBe(4);
  expect([9, 1, 0].map((cards) => columns(cards, 340))).toEqual([1, 1, 1]);
  expect(columns(0, -24)).toBe(1);
});

describe('rows', () => {
  const grid = (columns: number, rest: Partial<Grid<CardPlace>> = {}): Grid<CardPlace> => ({
    columns,
    folded: new Set<string>(),
    large: null,
    spanOf: () => 1,
    ...rest,
  });
  const shape = (...rest: Parameters<typeof rowsOf<CardPlace>>): string[] =>
    rowsOf(...rest).map((row) =>
      row.kind === 'heads'
        ? row.heads
            .map(
              ({ section, at, span, continued }) =>
                `#${continued ? '…' : ''} ${section.name} ${at}+${span}`,
            )
            .join(' ')
        : `${row.kind === 'large' ? '! ' : ''}${row.slots.map(({ card }) => card.tag).join(' ')}`,
    );

  test('hold as many cards as there are columns', () => {
    expect(shape(sections.slice(3), grid(3))).toEqual([
      '# train 0+3',
      'train/acc train/loss train/loss_2',
      'train/loss_10',
    ]);
  });

  test('are shared by consecutive sections of a single row', () => {
    expect(shape(sections.slice(0, 3), grid(5))).toEqual([
      '#  0+2 # a 2+1 # eval 3+2',
      ' lr a/b/c eval/loss',
    ]);
    expect(rowsOf(sections.slice(0, 3), grid(5))[1]).toMatchObject({
      slots: [{ at: 0 }, { at: 1 }, { at: 2 }, { at: 3 }],
    });
    expect(shape(sections.slice(1), grid(2))).toEqual([
      '# a 0+1 # eval 1+1',
      'a/b/c eval/loss',
      '# train 0+2',
      'train/acc train/loss',
      'train/loss_2 train/loss_10',
    ]);
  });

  test('are shared by a short section and the begin or end of a longer one', () => {
    expect(shape(sections.slice(2), grid(3))).toEqual([
      '# eval 0+1 # train 1+2',
      'eval/loss train/acc train/loss',
      '#… train 0+3',
      'train/loss_2 train/loss_10',
    ]);
    const own = (section: string, count: number): CardPlace[] =>
      Array.from({ length: count }, (_, i) => ({
        key: `${section}${i}`,
        tag: `${section}${i}`,
        section,
      }));
    const longFirst = sectionsOf([...own('a', 4), ...own('b', 1), ...own('c', 1), ...own('d', 5)]);
    expect(shape(longFirst, grid(3))).toEqual([
      '# a 0+3',
      'a0 a1 a2',
      '#… a 0+1 # b 1+1 # c 2+1',
      'a3 b0 c0',
      '# d 0+3',
      'd0 d1 d2',
      'd3 d4',
    ]);
    // A short one that finds no room is joined by the next.
    expect(shape(sectionsOf([...own('a', 2), ...own('b', 2), ...own('c', 1)]), grid(3))).toEqual([
      '# a 0+3',
      'a0 a1',
      '# b 0+2 # c 2+1',
      'b0 b1 c0',
    ]);
    // Two longer sections share none.
    expect(shape(sectionsOf([...own('a', 4), ...own('d', 4)]), grid(3))).toEqual([
      '# a 0+3',
      'a0 a1 a2',
      'a3',
      '# d 0+3',
      'd0 d1 d2',
      'd3',
    ]);
  });

  test('keep the cards of a tag together where they fit', () => {
    const several = sectionsOf(
      ['a', 'b', 'b', 'b', 'c', 'c', 'd', 'd', 'd', 'd', 'e'].map((tag, i) => ({
        key: String(i),
        tag,
      })),
    );
    expect(shape(several, grid(3, { folded: null }))).toEqual([
      'a',
      'b b b',
      'c c',
      'd d d',
      'd e',
    ]);
    expect(shape(several, grid(6, { folded: null }))).toEqual(['a b b b c c', 'd d d d e']);
  });

  test('break between tags with several cards', () => {
    const breaks = (...tags: string[]): number[] => {
      const [section] = sectionsOf(cardsOf(tags));
      return section
        ? breaksOf(section.cards.map((card, at) => ({ section, card, at, span: 1 })))
        : [];
    };
    expect(breaks('a', 'a', 'b', 'c')).toEqual([2, 3]);
    expect(breaks('a', 'b', 'c')).toEqual([]);
    expect(breaks('a', 'a')).toEqual([]);
  });

  test('of folded sections are omitted, and their heads share a row', () => {
    expect(shape(sections.slice(1), grid(2, { folded: new Set(['a', 'train']) }))).toEqual([
      '# a 0+2',
      '# eval 0+2',
      'eval/loss',
      '# train 0+2',
    ]);
    expect(shape(sections.slice(1), grid(3, { folded: new Set(['a', 'eval', 'train']) }))).toEqual([
      '# a 0+1 # eval 1+1 # train 2+1',
    ]);
  });

  test('hold wider cards, of at most all columns', () => {
    const spanOf = ({ tag }: CardPlace): number =>
      tag === 'train/loss' ? 2 : tag === 'train/loss_10' ? 9 : 1;
    expect(shape(sections.slice(3), grid(2, { spanOf }))).toEqual([
      '# train 0+2',
      'train/acc',
      'train/loss',
      'train/loss_2',
      'train/loss_10',
    ]);
    expect(rowsOf(sections.slice(3), grid(3, { spanOf }))[1]).toMatchObject({
      slots: [
        { at: 0, span: 1 },
        { at: 1, span: 2 },
      ],
    });
  });

  test('an enlarged card has its own row', () => {
    expect(shape(sections.slice(3), grid(2, { large: 'train/loss' }))).toEqual([
      '# train 0+2',
      'train/acc',
      '! train/loss',
      'train/loss_2 train/loss_10',
    ]);
    expect(shape(sections.slice(1, 3), grid(2, { large: 'a/b/c' }))).toEqual([
      '# a 0+2',
      '! a/b/c',
      '# eval 0+2',
      'eval/loss',
    ]);
  });
});
