import type { TrainJob } from '@/api/train_jobs';
import { withoutTwins } from '@/base/field_twins';
import type { Value } from '@/base/job_query';
import { meanOf } from '@/base/mean';
import { presentValue } from '@/base/value_order';

/** Stands for all hyper-parameters but the seed: runs that differ in nothing else are repetitions. */
export const ALL_BUT_SEED = '*';

/** Facts of the log that somebody has set, not counted or measured. */
const SET_FIELDS = new Set([
  'network',
  'optimizer',
  'learning_rate',
  'epoch',
  'batch_size',
  'loss_function',
  'device_num',
  'dataset_mark',
]);
const SEED = /(^|[/_.-])(seed|random_state)$/i;

/** Of these facts, the hyper-parameters that are no seeds. */
export function parametersButSeed(names: readonly string[]): string[] {
  return withoutTwins(names).filter(
    (name) => (name.startsWith('user_defined/') || SET_FIELDS.has(name)) && !SEED.test(name),
  );
}

/** What a group shows in a column: the value that all of its jobs have, or the mean of their numbers. */
export type Summary =
  | { readonly kind: 'same'; readonly value: NonNullable<Value> }
  | ({ readonly kind: 'mean' } & NonNullable<ReturnType<typeof meanOf>>);

/** Undefined: the jobs differ, and no mean would mean anything. */
export function summaryOf(values: readonly Value[], averaged: boolean): Summary | undefined {
  const first = presentValue(values[0]);
  if (first !== undefined && first !== null && values.every((value) => value === first))
    return { kind: 'same', value: first };
  const mean = averaged ? meanOf(values) : null;
  return mean ? { kind: 'mean', ...mean } : undefined;
}

/**
 * The values that a job's group shares, as one text; undefined where the job has none of them.
 * A single one is written as it is, several as JSON, so that no two groups are written alike.
 */
export function groupKey(
  job: TrainJob,
  getters: readonly ((job: TrainJob) => Value)[],
): string | undefined {
  const values = getters.map((get) => presentValue(get(job)) ?? null);
  if (values.every((value) => value === null)) return undefined;
  return values.length === 1 ? String(values[0]) : JSON.stringify(values);
}
