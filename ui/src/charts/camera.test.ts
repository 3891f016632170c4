import { expect, test } from 'vitest';
import { computed, ref } from 'vue';

import { poseOf, poseText, useCamera } from './camera';
import type { Pose } from './space';

const TURNED: Pose = { eye: [1.23456789, 0.5, -2], at: [0, 0, 0] };

test('a camera round-trips through a short text with invisible differences', () => {
  expect(poseText(TURNED)).toBe('1.235,0.5,-2');
  expect(poseOf('1.235,0.5,-2')).toEqual({ eye: [1.235, 0.5, -2], at: [0, 0, 0] });
  // The distance is kept even very close to a point.
  const near: Pose = { eye: [0.70012345, 0.2, 0.1], at: [0.7, 0.2, 0.1] };
  const again = poseOf(poseText(near));
  expect((again?.eye[0] ?? NaN) - (again?.at[0] ?? NaN)).toBeCloseTo(0.00012345, 6);
});

test('rejects cameras of the wrong dimension and invalid texts', () => {
  const above: Pose = { eye: [0.25, 0, 2], at: [0.25, 0, 0] };
  expect(poseText(above, true)).toBe('f0,0,2,0.25,0,0');
  expect(poseOf('f0,0,2,0.25,0,0', true)).toEqual(above);
  expect(poseOf('f0,0,2,0.25,0,0')).toBeNull();
  expect(poseOf('1.235,0.5,-2', true)).toBeNull();
  for (const text of ['', '1,2', '1,2,x', '1,,3', '0,0,0', '1,2,3,4', 'NaN,1,1', '1e9,0,0'])
    expect(poseOf(text), text).toBeNull();
});

test('does not write while the camera moves; a new text moves it', () => {
  const kept = ref('');
  const camera = useCamera(computed({ get: () => kept.value, set: (text) => (kept.value = text) }));
  camera.pose.value = TURNED;
  expect([kept.value, camera.pose.value]).toEqual(['', TURNED]);
  camera.settle();
  expect([kept.value, poseOf(kept.value)?.eye]).toEqual(['1.235,0.5,-2', [1.235, 0.5, -2]]);
  kept.value = '0,1,2';
  expect(camera.pose.value).toEqual({ eye: [0, 1, 2], at: [0, 0, 0] });
  camera.pose.value = null;
  expect(kept.value).toBe('');
  camera.settle();
  expect(kept.value).toBe('');
});
