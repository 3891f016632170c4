import type { TrainJob } from '@/api/train_jobs';
import type { Value } from '@/base/job_query';
import { meanOf } from '@/base/mean';
import { presentValue } from '@/base/value_order';

/** A group's value in a column: the shared one, or the mean. */
export type Summary =
  | { readonly kind: 'same'; readonly value: NonNullable<Value> }
  | ({ readonly kind: 'mean' } & NonNullable<ReturnType<typeof meanOf>>);

/** Undefined: the runs differ and have no mean. */
export function summaryOf(values: readonly Value[], averaged: boolean): Summary | undefined {
  const first = presentValue(values[0]);
  if (first !== undefined && first !== null && values.every((value) => value === first))
    return { kind: 'same', value: first };
  const mean = averaged ? meanOf(values) : null;
  return mean ? { kind: 'mean', ...mean } : undefined;
}

/** A group's shared values as a text, several as unique JSON; undefined: none. */
export function groupKey(
  job: TrainJob,
  getters: readonly ((job: TrainJob) => Value)[],
): string | undefined {
  const values = getters.map((get) => presentValue(get(job)) ?? null);
  if (values.every((value) => value === null)) return undefined;
  return values.length === 1 ? String(values[0]) : JSON.stringify(values);
}
