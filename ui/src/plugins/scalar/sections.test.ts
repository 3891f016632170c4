import { describe, expect, test } from 'vitest';

import { mostCommon, rowsOf, sectionsOf } from './sections';

const sections = sectionsOf(['train/loss', 'lr', 'train/acc', 'eval/loss', '', 'a/b/c', 'train/loss_10', 'train/loss_2']);

test('tags are grouped by what is before their first slash, those without first', () => {
  expect(sections).toEqual([
    { name: '', tags: ['', 'lr'] },
    { name: 'a', tags: ['a/b/c'] },
    { name: 'eval', tags: ['eval/loss'] },
    { name: 'train', tags: ['train/acc', 'train/loss', 'train/loss_2', 'train/loss_10'] },
  ]);
});

describe('rows', () => {
  const shape = (...rest: Parameters<typeof rowsOf>): string[] =>
    rowsOf(...rest).map((row) =>
      row.kind === 'section' ? `# ${row.section.name}` : row.kind === 'cards' ? row.tags.join(' ') : `! ${row.tag}`,
    );

  test('have as many cards as there are columns', () => {
    expect(shape(sections.slice(3), 3, new Set(), null)).toEqual(['# train', 'train/acc train/loss train/loss_2', 'train/loss_10']);
  });

  test('of a folded section are not there', () => {
    expect(shape(sections.slice(2), 2, new Set(['train']), null)).toEqual(['# eval', 'eval/loss', '# train']);
  });

  test('an enlarged card has one of its own, in its place', () => {
    expect(shape(sections.slice(3), 2, new Set(), 'train/loss')).toEqual([
      '# train', 'train/acc', '! train/loss', 'train/loss_2 train/loss_10',
    ]);
  });

  test('have keys of their own', () => {
    const keys = rowsOf(sections, 1, new Set(), 'lr').map((row) => row.key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

test('the value beside a job is of the first tag that most jobs have', () => {
  const jobsWith = new Map([['lr', 1], ['train/acc', 3], ['train/loss', 3]]);
  expect(mostCommon(sections, jobsWith)).toBe('train/acc');
  expect(mostCommon([], jobsWith)).toBeNull();
});
