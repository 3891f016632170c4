import { computed, shallowRef, type WritableComputedRef } from 'vue';

import type { Pose, Spot } from './space';

/** Fewer than this would move the picture by a pixel. */
const DIGITS = 4;

/** The vector from target to eye and, unless it is 0, the target. `f`: above a plane. */
export function poseText({ eye, at }: Pose, flat = false): string {
  const from = eye.map((value, i) => value - (at[i] ?? 0));
  const numbers = (at.some((value) => value !== 0) ? [...from, ...at] : from).map((value) =>
    Number(value.toPrecision(DIGITS)),
  );
  return `${flat ? 'f' : ''}${numbers.join(',')}`;
}

export function poseOf(text: string, flat = false): Pose | null {
  if (text === '' || text.startsWith('f') !== flat) return null;
  const numbers = text
    .slice(flat ? 1 : 0)
    .split(',')
    .map((part) => (part.trim() === '' ? NaN : Number(part)));
  if (![3, 6].includes(numbers.length) || !numbers.every((value) => Math.abs(value) < 1e6))
    return null;
  const at = spot(numbers.slice(3));
  const eye = spot(numbers.map((value, i) => value + (at[i] ?? 0)));
  // The eye must not be at the target.
  return Math.hypot(...numbers.slice(0, 3)) > 1e-6 ? { eye, at } : null;
}

function spot([x = 0, y = 0, z = 0]: readonly number[]): Spot {
  return [x, y, z];
}

export interface Camera {
  readonly pose: WritableComputedRef<Pose | null>;
  readonly settle: () => void;
}

/** A camera whose pose is kept as text once it stops moving. */
export function useCamera(
  kept: WritableComputedRef<string>,
  flat: () => boolean = () => false,
): Camera {
  const moving = shallowRef<Pose | null>(null);
  return {
    pose: computed({
      get: () => moving.value ?? poseOf(kept.value, flat()),
      set: (pose) => {
        moving.value = pose;
        if (pose === null) kept.value = '';
      },
    }),
    settle: () => {
      if (moving.value) kept.value = poseText(moving.value, flat());
      moving.value = null;
    },
  };
}
