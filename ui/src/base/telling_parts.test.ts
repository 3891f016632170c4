import { expect, test } from 'vitest';

import { parted } from './shorten';
import { tellingParts } from './telling_parts';

const ends = (names: readonly string[]): string[] => {
  const telling = tellingParts(names);
  return names.map((name) => parted(name, telling.get(name))[1]);
};

test('names that differ in the middle keep what differs', () => {
  expect(
    ends([
      'visualdl/PaddleRS/output/stanet/vdl_log',
      'visualdl/PaddleRS/output/BIT/vdl_log',
      'visualdl/DnCNN/norm_train/vdl_log',
    ]),
  ).toEqual(['stanet/vdl_log', 'BIT/vdl_log', 'norm_train/vdl_log']);
  expect(
    ends([
      'guild · filter · runs/2dc1529ba06c46f7a1b0c3d4e5f60718/.guild',
      'guild · filter · runs/79ca9e64e4d745308f6a5b4c3d2e1f00/.guild',
    ]),
  ).toEqual(['2dc1529ba06c46f7a1b0c3d4e5f60718/.guild', '79ca9e64e4d745308f6a5b4c3d2e1f00/.guild']);
});

test('a difference within a token keeps the whole token', () => {
  expect(
    ends(['cifar/resnet50_lr0.1/events_of_training', 'cifar/resnet50_lr0.3/events_of_training']),
  ).toEqual(['lr0.1/events_of_training', 'lr0.3/events_of_training']);
});

test('names that already differ where they are cut stay as they are', () => {
  expect(
    tellingParts(['cifar/resnet50/run_with_lr0.1', 'cifar/resnet50/run_with_lr0.3', 'short']),
  ).toEqual(new Map());
});

test('a name that ends another one', () => {
  expect(ends(['output/stanet/vdl_log', 'old/output/stanet/vdl_log'])).toEqual([
    'output/stanet/vdl_log',
    'old/output/stanet/vdl_log',
  ]);
});

test('all tokens of a sweep that differ are kept, the first one in part', () => {
  expect(
    ends([
      'adamw · lr0.01 · wd0.05 · seed0',
      'adamw · lr0.01 · wd0.05 · seed1',
      'sgd_nesterov · lr0.01 · wd0.05 · seed0',
      'sgd_nesterov · lr0.01 · wd0.05 · seed1',
    ]),
  ).toEqual([0, 1, 0, 1].map((seed) => ` · lr0.01 · wd0.05 · seed${seed}`));
});
