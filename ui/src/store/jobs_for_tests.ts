import type { TrainJob } from '@/api/train_jobs';

export const job = (name: string, at: number, more: Partial<TrainJob> = {}): TrainJob => ({
  train_id: `./${name}`,
  update_timestamp: at,
  create_timestamp: at,
  cache_status: 'CACHED',
  formats: [],
  summary_files: 1,
  graph_files: 0,
  lineage_files: 0,
  display_name: '',
  session_status: null,
  points: 1,
  bytes: 1,
  version: 1,
  is_integrity: true,
  problems: [],
  problem_count: 0,
  plugins: { scalar: ['loss'] },
  ...more,
});

export const listing = (...jobs: readonly TrainJob[]): ReadonlyMap<string, TrainJob> =>
  new Map(jobs.map((one) => [one.train_id, one]));
