import { axisTicks, type Axis, type Brush } from '@/charts/parallel_lines';
import { shortened } from '@/base/shorten';
import type { Size } from '@/base/shapes';

export interface Cell {
  readonly column: Axis;
  readonly row: Axis;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels around the cells: tick labels and names on the left and below. */
export const FRAME = { left: 92, right: 16, top: 12, bottom: 48 };
const GAP = 12;
/** Between the frame of a cell and its points. */
const MARGIN = 8;
const CELL_HEIGHT = 160;
const LEAST_WIDTH = 110;

export const heightOf = (rows: number): number =>
  FRAME.top + rows * (CELL_HEIGHT + GAP) - GAP + FRAME.bottom;
export const leastWidth = (columns: number): number =>
  FRAME.left + columns * (LEAST_WIDTH + GAP) - GAP + FRAME.right;

/** Cells of equal size, row by row. */
export function cellsOf(columns: readonly Axis[], rows: readonly Axis[], size: Size): Cell[] {
  const { left, right, top, bottom } = FRAME;
  const width = (size.width - left - right + GAP) / columns.length - GAP;
  const height = (size.height - top - bottom + GAP) / rows.length - GAP;
  return rows.flatMap((row, i) =>
    columns.map((column, k) => ({
      column,
      row,
      left: left + k * (width + GAP),
      top: top + i * (height + GAP),
      width,
      height,
    })),
  );
}

/** Where a place is on an axis, from 0 to 1; NaN: missing. */
export function shareOf({ categories, least, most }: Axis, place: number): number {
  if (categories) return (place + 0.5) / categories.length;
  return most > least ? (place - least) / (most - least) : place === least ? 0.5 : NaN;
}

export const pixelX = ({ left, width }: Cell, share: number): number =>
  left + MARGIN + share * (width - 2 * MARGIN);
export const pixelY = ({ top, height }: Cell, share: number): number =>
  top + height - MARGIN - share * (height - 2 * MARGIN);

/** The place on an axis that is at a share of it, the inverse of `shareOf`. */
export const placeAt = ({ categories, least, most }: Axis, share: number): number =>
  categories ? share * categories.length - 0.5 : least + share * (most - least);

export interface Area {
  readonly cell: Cell;
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

/** The ranges of a cell's axes that an area covers. */
export function rangesOf({ cell, from, to }: Area): Brush[] {
  const across = [from[0], to[0]].map((x) => (x - cell.left - MARGIN) / (cell.width - 2 * MARGIN));
  const up = [from[1], to[1]].map(
    (y) => (cell.top + cell.height - MARGIN - y) / (cell.height - 2 * MARGIN),
  );
  const range = (axis: Axis, shares: readonly number[]): Brush => {
    const places = shares.map((share) => placeAt(axis, share));
    return { field: axis.field, from: Math.min(...places), to: Math.max(...places) };
  };
  return [range(cell.column, across), range(cell.row, up)];
}

export interface Tick {
  readonly share: number;
  readonly text: string;
}

/** At most `most` labels, as long as `characters`. */
export function ticksOf(axis: Axis, most: number, characters: number): Tick[] {
  const { categories } = axis;
  if (categories) {
    const every = Math.ceil(categories.length / Math.max(1, most));
    return categories.flatMap((text, i) =>
      i % every === 0 ? [{ share: shareOf(axis, i), text: shortened(text, characters) }] : [],
    );
  }
  const { at, label } = axisTicks(axis, most);
  return at.map((place) => ({ share: shareOf(axis, place), text: label(place) }));
}

const BINS = 12;

/** Counts of places in equal parts of the axis, or of its categories. */
export function countsOf(axis: Axis, lines: readonly number[]): number[] {
  const bins = axis.categories?.length ?? BINS;
  const counts = new Array<number>(bins).fill(0);
  for (const line of lines) {
    const share = shareOf(axis, axis.places[line] ?? NaN);
    const bin = Math.min(bins - 1, Math.floor(share * bins));
    if (bin >= 0) counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}
