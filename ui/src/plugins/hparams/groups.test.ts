import { describe, expect, it } from 'vitest';

import { columnsOf, groupKey, valueOf, type HparamsOverview, type SessionGroup } from './groups';

const group = (lr: number | null, acc: number | null, name = ''): SessionGroup => ({
  name,
  hyper_parameters: lr === null ? {} : { lr },
  metrics: acc === null ? {} : { acc: { n: 1, avg: acc, median: acc, min: acc, max: acc } },
  sessions: [
    {
      train_id: `./lr_${lr ?? 'none'}`,
      hyper_parameters: {},
      metrics: {},
      status: 'success',
      start_time: null,
    },
  ],
});
const overview: HparamsOverview = {
  hyper_parameters: [
    { name: 'lr', kind: 'number', differs: true },
    { name: 'seed', kind: 'number', differs: false },
  ],
  metrics: ['acc'],
  session_groups: [group(0.1, 0.5), group(0.01, null), group(null, 0.9)],
};

describe('columnsOf', () => {
  it('shows parameters that differ, or all on request', () => {
    expect(columnsOf(overview, false).map(({ key }) => key)).toEqual(['h/lr', 'm/acc']);
    expect(columnsOf(overview, true).map(({ key }) => key)).toEqual(['h/lr', 'h/seed', 'm/acc']);
  });

  it('shows all parameters if none differs, for example with a single session', () => {
    const alike = {
      ...overview,
      hyper_parameters: overview.hyper_parameters.map((one) => ({ ...one, differs: false })),
    };
    expect(columnsOf(alike, false).map(({ key }) => key)).toEqual(['h/lr', 'h/seed', 'm/acc']);
  });
});

describe('valueOf', () => {
  it('returns nothing for parameters of other groups, even with names of built-in properties', () => {
    for (const kind of ['parameter', 'metric'] as const) {
      expect(
        valueOf(group(0.1, 0.5), { key: 'x', kind, name: 'constructor' }, 'avg'),
      ).toBeUndefined();
    }
  });
});

describe('groupKey', () => {
  it('is the name, or else the first session', () => {
    expect([groupKey(group(1, 1, 'sweep')), groupKey(group(1, 1))]).toEqual(['sweep', './lr_1']);
  });
});
