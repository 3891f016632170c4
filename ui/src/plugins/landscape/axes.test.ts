import { expect, test } from 'vitest';

import { axesOf } from './axes';
import type { Surface } from './surface';

const surface: Surface = {
  trainId: './a',
  color: '#112233',
  x: [-1, 1],
  y: [-2, 2],
  z: [
    [0.5, 1],
    [1, 3],
  ],
  path: [],
};

test('axes have names and ends', () => {
  const { bodies, labels } = axesOf([surface], '#888888', 'Loss');
  expect(labels.map(({ text }) => text)).toEqual([
    ...['−1', 'x', '1'],
    ...['−2', 'y', '2'],
    ...['0.5', 'Loss', '3'],
  ]);
  expect(bodies).toHaveLength(3);
});

test('a landscape without a finite loss has no axes', () => {
  expect(axesOf([{ ...surface, z: [[NaN, NaN]] }], '#888888', 'Loss').labels).toEqual([]);
});
