import { expect, test } from 'vitest';

import cases from '../../../tests/golden/run_lists.json';

import { conditionOf, matcherOf, QueryError, type Value } from './job_query';
import { compareValues } from './value_order';

/** The server's tests have the same cases: it filters and sorts long lists. */

type Job = Readonly<Record<string, Value>>;

const NUMBERS: Readonly<Record<string, number>> = {
  NaN: NaN,
  Infinity: Infinity,
  '-Infinity': -Infinity,
};
const valueOf = (cell: unknown): Value => NUMBERS[String(cell)] ?? (cell as Value);

const jobs: readonly Job[] = cases.runs.map((run) =>
  Object.fromEntries(Object.entries(run).map(([name, cell]) => [name, valueOf(cell)])),
);
const namesOf = (job: Job): string[] => [String(job['name']), `run ${String(job['name'])}.1`];

test.each(cases.filters as [string, string][])('“%s” finds %s', (text, names) => {
  const condition = conditionOf(text);
  const matches =
    condition === null
      ? () => true
      : matcherOf<Job>(condition, (field) => (job) => job[field], namesOf);
  const found = jobs.filter(matches).map((job) => String(job['name']).charAt(0));
  expect(found.join('')).toBe(names);
});

test.each(cases.errors as [string, string, number][])(
  '“%s” is rejected: %s at %i',
  (text, reason, at) => {
    expect(() => conditionOf(text)).toThrow(QueryError);
    try {
      conditionOf(text);
    } catch (error) {
      expect(error).toMatchObject({ reason, at });
    }
  },
);

test.each(cases.orders.map((values) => [values]))('the order of %j', (values) => {
  const shuffled = [...values].reverse();
  expect(shuffled.sort((a, b) => compareValues(valueOf(a), valueOf(b)))).toEqual(values);
});
