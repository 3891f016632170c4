import type { Line, Range } from './line';

export interface PlotEvents {
  readonly moved: (x: number, top: number) => void;
  readonly left: () => void;
  /** Without dragging. */
  readonly clicked: () => void;
  readonly zoomed: (range: Range) => void;
  readonly reset: () => void;
  readonly panned: (range: Range, done: boolean) => void;
  readonly painted: (lines: readonly Line[], exact: boolean) => void;
}

/** Painted separately: it changes with every move of the pointer. */
export interface Overlay {
  readonly x: number | null;
  readonly lit: Line | null;
  readonly points: readonly { readonly line: Line; readonly index: number }[];
}
