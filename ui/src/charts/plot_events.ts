import type { Line, Range } from './line';

/** What the pointer does on a plot, in values of x and CSS pixels of the plot. */
export interface PlotEvents {
  readonly moved: (x: number, top: number) => void;
  readonly left: () => void;
  readonly zoomed: (range: Range) => void;
  readonly reset: () => void;
  /** Dragged sideways with Alt or the middle button: what is to be seen now, and whether that was all. */
  readonly panned: (range: Range, done: boolean) => void;
  /** These lines are seen now. */
  readonly painted: (lines: readonly Line[], exact: boolean) => void;
}

/** What lies over the lines: changes with every move, so the lines are not painted anew for it. */
export interface Overlay {
  /** Where the crosshair stands; null: nowhere. */
  readonly x: number | null;
  readonly lit: Line | null;
  /** Points to mark. */
  readonly points: readonly { readonly line: Line; readonly index: number }[];
}
