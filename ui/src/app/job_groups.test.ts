import { expect, test } from 'vitest';

import type { TrainJob } from '@/api/train_jobs';

import { panelRows } from './job_groups';

const job = (train_id: string, update_timestamp: number): TrainJob => ({
  train_id, update_timestamp, create_timestamp: 0, cache_status: 'CACHED', formats: [], summary_files: 1, graph_files: 0, lineage_files: 0, display_name: '',
  points: 0, bytes: 0, version: 1, is_integrity: true, problems: [], problem_count: 0, plugins: {},
});

test('jobs stand under their state, in the order they came', () => {
  const rows = panelRows([job('./old', 0), job('./b', 995), job('./a', 990)], 1_000);
  expect(rows.map(({ key }) => key)).toEqual(['running', 'job ./b', 'job ./a', 'finished', 'job ./old']);
});

test('a state nobody is in has no heading', () => {
  expect(panelRows([job('./a', 999)], 1_000).map(({ kind }) => kind)).toEqual(['group', 'job']);
  expect(panelRows([], 1_000)).toEqual([]);
});
