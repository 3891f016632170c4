import { expect, test } from 'vitest';

import { readSorting, withoutSeverity, withSeverity, writeSorting } from './sorting';

test('is written as names, with - before descending ones', () => {
  const keys = [
    { id: 'loss', desc: true },
    { id: 'name', desc: false },
  ];
  expect(writeSorting(keys)).toEqual(['-loss', 'name']);
  expect(readSorting(['-loss', 'name'])).toEqual(keys);
});

test('anomalies are sorted by severe ones first, in the same direction', () => {
  const keys = readSorting(['-loss', '-anomalies', 'name']);
  const full = withSeverity(keys);
  expect(writeSorting(full)).toEqual(['-loss', '-severe_anomalies', '-anomalies', 'name']);
  expect(withoutSeverity(full)).toEqual(keys);
  for (const names of [['severe_anomalies'], ['severe_anomalies', '-anomalies']])
    expect(withSeverity(readSorting(names))).toEqual(readSorting(names));
});
