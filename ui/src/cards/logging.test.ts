import { expect, test } from 'vitest';

import { writersOf } from './logging';

const job = (format: string, tag = 'loss') => ({ formats: [format], plugins: { scalar: [tag] } });

test('hints are for the libraries that wrote the runs, each once', () => {
  expect(writersOf([job('visualdl'), job('mindspore'), job('visualdl')])).toEqual([
    'mindspore',
    'visualdl',
  ]);
});

test('the tags of Keras distinguish it from torch', () => {
  expect(writersOf([job('tensorboard')])).toEqual(['torch']);
  expect(writersOf([job('tensorboard', 'epoch_loss')])).toEqual(['tensorflow']);
});

test('without runs of a known library all are named', () => {
  expect(writersOf([])).toHaveLength(4);
  expect(writersOf([job('invention')])).toHaveLength(4);
});
