import { expect, test } from 'vitest';

import { ApiError } from '@/api/client';
import type { SetAside } from '@/api/restarts';
import type { ScalarSeries } from '@/api/scalars';

import { followAside, noAside } from './aside_points';

const series = (
  superseded: number,
  total = 10,
  writers: readonly string[] = ['a'],
): ScalarSeries => ({
  train_id: './a',
  tag: 'loss',
  step: new Float64Array(),
  wall_time: new Float64Array(),
  value: new Float64Array(),
  superseded,
  total,
  writers,
});
const found = (...restarts: number[]): SetAside => ({ restarts, pieces: [] });

test('requests nothing if no points are set aside', async () => {
  expect(await followAside(noAside(), series(0), () => Promise.reject(new Error('asked')))).toBe(
    false,
  );
});

test('requests again when more points are replaced, or when a series with other writers grows', async () => {
  const points = noAside();
  let asked = 0;
  const ask = (one: ScalarSeries): Promise<boolean> =>
    followAside(points, one, () => Promise.resolve(found(++asked)));
  for (const one of [
    series(1),
    series(1, 20),
    series(2, 20),
    series(2, 20, ['a', 'b']),
    series(2, 20, ['a', 'b']),
    series(2, 30, ['a', 'b']),
  ])
    await ask(one);
  expect(asked).toBe(4);
  expect(await ask(series(0))).toBe(true);
  expect(points).toMatchObject({ restarts: [], aside: [] });
});

test('a late answer does not replace a newer one', async () => {
  const points = noAside();
  const come: ((one: SetAside) => void)[] = [];
  const fetch = (): Promise<SetAside> => new Promise((resolve) => come.push(resolve));
  const asked = [followAside(points, series(1), fetch), followAside(points, series(2), fetch)];
  come[1]?.(found(2));
  come[0]?.(found(1));
  expect(await Promise.all(asked)).toEqual([false, true]);
  expect(points.restarts).toEqual([2]);
});

test('retries after a failure', async () => {
  const points = noAside();
  expect(
    await followAside(points, series(1), () =>
      Promise.reject(new ApiError(0, '', 'Failed to fetch')),
    ),
  ).toBe(false);
  expect(await followAside(points, series(1), () => Promise.resolve(found(3)))).toBe(true);
});
