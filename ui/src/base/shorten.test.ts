import { describe, expect, it, test } from 'vitest';

import { parted, partedEnd, shortened, splitTag } from './shorten';

test('tags split at their first slash', () => {
  expect(['train/loss', 'a/b/c', 'loss', '', '/odd', 'odd/'].map(splitTag)).toEqual([
    ['train', 'loss'],
    ['a', 'b/c'],
    ['', 'loss'],
    ['', ''],
    ['', '/odd'],
    ['', 'odd/'],
  ]);
});

describe('shortened', () => {
  it('keeps both ends of long texts', () => {
    expect([shortened('abcdefghij', 10), shortened('abcdefghijk', 7)]).toEqual([
      'abcdefghij',
      'abc…ijk',
    ]);
  });
});

describe('parted', () => {
  it('keeps the end that distinguishes names', () => {
    expect(parted('tensorboard/resnet/lr_0.010')).toEqual(['tensorboard/resnet', '/lr_0.010']);
    expect(parted('logs/version_0/s1')).toEqual(['logs', '/version_0/s1']);
    expect(parted('a_single_part_that_is_long_and_ends_in_seed_3')).toEqual([
      'a_single_part_that_is_long_and_',
      'ends_in_seed_3',
    ]);
  });

  it('does not split tokens', () => {
    expect(parted('resnet50_imagenet_bs256_sgd_lr0.0003_s2')).toEqual([
      'resnet50_imagenet_bs256_',
      'sgd_lr0.0003_s2',
    ]);
    expect(parted('one_token_0123456789abcdef0123456789abcdef')[1]).toBe('23456789abcdef');
  });

  it('does not split short or right-to-left texts', () => {
    expect(
      ['short', 'fourteen_chars', 'تجارب/التدريب_الأول_على_الصور'].map((name) => parted(name)[0]),
    ).toEqual(['', '', '']);
  });

  it('does not split characters', () => {
    for (const name of [
      `${'x'.repeat(9)}\u{1f600}${'y'.repeat(13)}`,
      `${'x'.repeat(9)}e\u0301${'y'.repeat(13)}`,
    ]) {
      const [start, end] = parted(name);
      expect([start, start + end]).toEqual(['x'.repeat(9), name]);
    }
  });
});

test('short names of runs and names of groups are cut at a token', () => {
  expect(parted('resnet50 · lr0.1 · seed0')).toEqual(['resnet50', ' · lr0.1 · seed0']);
  expect(parted('resnet50 · adamw · lr0.01 · wd0.0001 · seed0')).toEqual([
    'resnet50 · adamw',
    ' · lr0.01 · wd0.0001 · seed0',
  ]);
  expect(parted('lr 0.001, optimizer adamw, weight_decay 0.05')).toEqual([
    'lr 0.001, optimizer adamw',
    ', weight_decay 0.05',
  ]);
});

test('an end without room is cut in its middle', () => {
  expect(partedEnd('2dc1529ba06c46fda486395a61475dbe/.guild')).toEqual([
    '2dc1529ba06c46fda486395a61475dbe',
    '/.guild',
  ]);
  expect(partedEnd('lr0.1_seed0')).toEqual(['', 'lr0.1_seed0']);
});
