import { expect, test } from 'vitest';

import { fileCounts } from './file_counts';

const job = (formats: string[], summary_files: number) => ({
  formats,
  summary_files,
  graph_files: 1,
  lineage_files: 0,
});

test('files are counted by format, largest first', () => {
  expect(
    fileCounts([job(['visualdl'], 0), job(['mindspore', 'tensorboard'], 4), job(['visualdl'], 0)]),
  ).toEqual([
    { format: 'MindSpore + TensorBoard', n: 5 },
    { format: 'VisualDL', n: 2 },
  ]);
});

test('runs without a format are not counted', () => {
  expect(fileCounts([job([], 0)])).toEqual([]);
});
