import { formatWhole } from '@/base/format';

import type { Line, MarkKind } from './line';
import type { Projection } from './paint';

/** Pixels between marks that can be told apart: the width of one. */
const APART = 8;
/** Pixels that a count or a note takes. */
const TEXT_WIDTH = 22;

export interface ShownMark {
  readonly kind: MarkKind;
  /** Pixels. */
  readonly left: number;
  readonly count: number;
  /** To be written above: the last one's note or the count, where there is room. */
  readonly text: string;
  /** Of the first one. */
  readonly label: string;
}

interface Merged {
  readonly kind: MarkKind;
  readonly left: number;
  count: number;
  text: string;
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
      before.text = mark.note ?? formatWhole(before.count);
      continue;
    }
    const { kind } = mark;
    const merged: Merged = {
      kind,
      left,
      count: 1,
      text: mark.note ?? '',
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
    if (next - mark.left < TEXT_WIDTH) mark.text = '';
  });
  return shown;
}

/** The middle of a mark's text, which is not cut at the edges of the plot. */
export function textLeft(left: number, { x, visible }: Pick<Projection, 'x' | 'visible'>): number {
  const half = TEXT_WIDTH / 2;
  return Math.max(half, Math.min(left, x(visible[1]) - half));
}

/** Whether a text fits beside those of other lines that were asked for before. */
export function roomForTexts(): (left: number) => boolean {
  const taken: number[] = [];
  return (left) => {
    if (taken.some((other) => Math.abs(left - other) < TEXT_WIDTH)) return false;
    taken.push(left);
    return true;
  };
}
