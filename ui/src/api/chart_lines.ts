import { getJson } from './client';

export interface ChartLine {
  /** As the server evaluates it. */
  readonly formula: string;
  /** As written, without quotes. */
  readonly label: string;
  readonly tags: readonly string[];
  /** The tag, if the formula is nothing else. */
  readonly tag: string | null;
}

/** The formulas in the text of a chart, or its error. */
export interface ChartLines {
  readonly lines: readonly ChartLine[];
  /** `character` counts from 1; null if the error has no position. */
  readonly error: { readonly character: number | null; readonly message: string } | null;
}

export function fetchChartLines(text: string): Promise<ChartLines> {
  return getJson<ChartLines>('datavisual/scalars/formulas/lines', { text });
}
