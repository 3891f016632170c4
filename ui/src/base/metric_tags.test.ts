import { expect, test } from 'vitest';

import { bestOf, betterOf, metricRank, usualMetrics } from './metric_tags';

const counts = (...tags: string[]): ReadonlyMap<string, number> =>
  new Map(tags.map((tag) => [tag, 1]));

test('the name of a metric tells which values are better', () => {
  for (const tag of ['val/acc_top1', 'Evaluate/mIoU', 'PSNR on validation data', 'rougeL', 'auc'])
    expect([tag, betterOf(tag)]).toEqual([tag, 'higher']);
  for (const tag of ['train/loss', 'val_loss', 'mel_spec_error', 'eval/perplexity'])
    expect([tag, betterOf(tag)]).toEqual([tag, 'lower']);
  for (const tag of ['loss_scale', 'lr', 'accelerator', 'train/loss_weight', ''])
    expect([tag, betterOf(tag)]).toEqual([tag, null]);
  expect([bestOf('loss'), bestOf('acc'), bestOf('foo')]).toEqual(['min', 'max', 'max']);
});

test('validation comes before training, accuracy before loss', () => {
  expect(usualMetrics(counts('loss', 'train/acc', 'train/loss', 'val/acc', 'val/loss'))).toEqual([
    'val/acc',
    'val/loss',
    'loss',
    'train/acc',
  ]);
  expect(['foo', 'train/loss', 'val_acc'].sort((a, b) => metricRank(a) - metricRank(b))).toEqual([
    'val_acc',
    'train/loss',
    'foo',
  ]);
});

test('of many similar metrics, those of most runs are taken, beside a loss', () => {
  const tags = new Map([
    ['eval/f1', 1],
    ['eval/kappa', 3],
    ['eval/miou', 3],
    ['eval/loss', 1],
    ['lr', 9],
  ]);
  expect(usualMetrics(tags)).toEqual(['eval/kappa', 'eval/miou', 'eval/loss']);
});
