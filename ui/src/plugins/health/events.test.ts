import { expect, test } from 'vitest';

import { eventsOf } from './events';
import type { JobSign } from './use_signs';

const sign = (trainId: string, tag: string, kind: string, step: number, end_step = step): JobSign =>
  ({ trainId, tag, kind, step, end_step, count: 1, size: 1, window: [step, step] });

test('what is alike at the same steps of a run is one event, and all else another', () => {
  const events = eventsOf([
    sign('./a', 'loss', 'restart', 5, 9), sign('./a', 'loss', 'nan', 5, 9), sign('./a', 'acc', 'restart', 5, 9),
    sign('./b', 'loss', 'restart', 5, 9), sign('./a', 'lr', 'restart', 5, 8),
  ]);
  expect(events.map(({ trainId, kind, end_step: end, signs }) => [trainId, kind, end, signs.map(({ tag }) => tag)])).toEqual([
    ['./a', 'restart', 9, ['loss', 'acc']], ['./a', 'nan', 9, ['loss']], ['./b', 'restart', 9, ['loss']], ['./a', 'restart', 8, ['lr']],
  ]);
});
