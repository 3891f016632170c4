import type { Size } from '@/base/shapes';

export interface LevelLabel {
  readonly left: number;
  readonly top: number;
  readonly text: string;
  readonly color: string;
}

/** The loss of a contour line, and pixels that the line passes. */
export interface Level {
  readonly text: string;
  /** Of the label. */
  readonly color: string;
  readonly spots: readonly (readonly [left: number, top: number])[];
}

/** Pixels that a label takes, and that it keeps to the border. */
const WIDTH = 46;
const HEIGHT = 15;
const MOST_TRIES = 24;

/** A label on each line, where it covers no other; lines without such a place have none. */
export function levelLabels(levels: readonly Level[], { width, height }: Size): LevelLabel[] {
  const placed: LevelLabel[] = [];
  for (const { text, color, spots } of levels) {
    const stride = Math.max(1, Math.floor(spots.length / MOST_TRIES));
    const spot = spots.find(
      ([left, top], i) =>
        i % stride === 0 &&
        left > 1.5 * WIDTH &&
        left < width - WIDTH / 2 &&
        top > HEIGHT &&
        top < height - 2 * HEIGHT &&
        placed.every(
          (other) => Math.abs(other.left - left) > WIDTH || Math.abs(other.top - top) > HEIGHT,
        ),
    );
    if (spot) placed.push({ left: spot[0], top: spot[1], text, color });
  }
  return placed;
}
