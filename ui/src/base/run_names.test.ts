import { expect, test } from 'vitest';

import { shortNames } from './run_names';

const shown = (...names: string[]): (string | undefined)[] => {
  const { short } = shortNames(names);
  return names.map((name) => short.get(name) ?? name);
};

test('the tokens that differ stay, those that all names share are dropped', () => {
  const names = [
    'cifar100_resnet50_lr0.1_wd5e-05_bs128_seed0',
    'cifar100_resnet50_lr0.3_wd5e-05_bs128_seed2',
    'cifar100_vit_base_patch16_224_lr0.1_wd0.0001_bs128_seed0',
  ];
  expect(shown(...names)).toEqual([
    'resnet50 · lr0.1 · wd5e-05 · seed0',
    'resnet50 · lr0.3 · wd5e-05 · seed2',
    'vit_base_patch16_224 · lr0.1 · wd0.0001 · seed0',
  ]);
  expect(shortNames(names).heading).toBe('cifar100_…');
});

test('the heading has what all names share at the front and at the back', () => {
  const names = ['experiments/imagenet_adam_final', 'experiments/imagenet_sgd_final'];
  expect(shown(...names)).toEqual(['adam', 'sgd']);
  expect(shortNames(names).heading).toBe('experiments/imagenet_…_final');
});

test('a word stays with the number that it names', () => {
  expect(shown('a_long_experiment_of_ours/run_1', 'a_long_experiment_of_ours/run_2')).toEqual([
    'run_1',
    'run_2',
  ]);
});

test('short names, and names that would be alike, are shown whole', () => {
  expect(shown('adam/run_0', 'sgd/run_1')).toEqual(['adam/run_0', 'sgd/run_1']);
  const alike = ['a_repeated_word_a_repeated_word', 'a_repeated_word'];
  expect(shown(...alike)).toEqual(alike);
  const part = ['a_name_with_many_tokens_in', 'a_name_with_many_tokens_in_it'];
  expect(shown(...part)).toEqual([part[0], 'it']);
  expect(shortNames(['a_single_name_of_many_tokens']).short.size).toBe(0);
});

test('where all names share nothing, those of a folder are without what they share', () => {
  const names = [
    'sweep/imagenet_resnet50_adam_lr0.1_bs256_seed0',
    'sweep/imagenet_resnet50_sgd_lr0.1_bs256_seed1',
    'sweep/imagenet_vit_sgd_lr0.1_bs256_seed1',
    'demo/first',
    'alone',
  ];
  expect(shown(...names)).toEqual([
    'sweep · resnet50_adam · seed0',
    'sweep · resnet50_sgd · seed1',
    'sweep · vit_sgd · seed1',
    'demo/first',
    'alone',
  ]);
  expect(shortNames(names).heading).toBe('');
});
