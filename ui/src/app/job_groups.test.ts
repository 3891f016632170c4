import { expect, test } from 'vitest';

import type { TrainJob } from '@/api/train_jobs';
import { jobState } from '@/base/job_state';

import { panelRows } from './job_groups';

const job = (train_id: string, update_timestamp: number): TrainJob => ({
  train_id,
  update_timestamp,
  create_timestamp: 0,
  cache_status: 'CACHED',
  formats: [],
  summary_files: 1,
  graph_files: 0,
  lineage_files: 0,
  display_name: '',
  session_status: null,
  points: 0,
  bytes: 0,
  version: 1,
  problems: [],
  problem_count: 0,
  plugins: {},
});

const atNow = (now: number) => (one: TrainJob) => jobState(one, now);

test('jobs are grouped by state and keep their order', () => {
  const jobs = [
    job('./old', 0),
    job('./b', 9_995),
    job('./silent', 9_000),
    { ...job('./lost', 9_990), session_status: 'failure' },
    job('./a', 9_990),
  ];
  const rows = panelRows(jobs, atNow(10_000));
  expect(rows.map(({ key }) => key)).toEqual([
    'running',
    'job ./b',
    'job ./a',
    'stalled',
    'job ./silent',
    'failed',
    'job ./lost',
    'finished',
    'job ./old',
  ]);
});

test('a state without jobs has no heading', () => {
  expect(panelRows([job('./a', 999)], atNow(1_000)).map(({ kind }) => kind)).toEqual([
    'group',
    'job',
  ]);
  expect(panelRows([], atNow(1_000))).toEqual([]);
});
