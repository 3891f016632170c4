import type { Line, MarkKind } from './line';
import type { Projection } from './paint';

/** Pixels between marks that can be told apart: the width of one. */
const APART = 8;
/** Pixels that a count takes. */
const COUNT_WIDTH = 18;

export interface ShownMark {
  readonly kind: MarkKind;
  /** Pixels. */
  readonly left: number;
  readonly count: number;
  /** Whether there is room for the count. */
  readonly counted: boolean;
  /** Of the first one. */
  readonly label: string;
}

interface Merged {
  readonly kind: MarkKind;
  readonly left: number;
  count: number;
  counted: boolean;
  readonly label: string;
}

/** The marks in view; those of a kind that are too close to tell apart are one. */
export function shownMarks(
  line: Line,
  { x: leftOf, visible }: Pick<Projection, 'x' | 'visible'>,
): readonly ShownMark[] {
  if (line.marks.length === 0) return [];
  const placed = line.marks
    .filter(({ x }) => x >= visible[0] && x <= visible[1])
    .map((mark) => ({ mark, left: leftOf(mark.x) }))
    .sort((a, b) => a.left - b.left);
  const shown: Merged[] = [];
  const last = new Map<MarkKind, Merged>();
  for (const { mark, left } of placed) {
    const before = last.get(mark.kind);
    if (before && left - before.left < APART) {
      before.count += 1;
      continue;
    }
    const { kind } = mark;
    const merged: Merged = {
      kind,
      left,
      count: 1,
      counted: false,
      // Few of many labels are read.
      get label() {
        return mark.label;
      },
    };
    shown.push(merged);
    last.set(kind, merged);
  }
  shown.forEach((mark, i) => {
    const next = shown[i + 1]?.left ?? Infinity;
    mark.counted = mark.count > 1 && next - mark.left >= COUNT_WIDTH;
  });
  return shown;
}
