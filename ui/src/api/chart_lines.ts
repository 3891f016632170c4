import { getJson } from './client';

export interface ChartLine {
  readonly formula: string;
  readonly label: string;
  readonly tags: readonly string[];
  readonly tag: string | null;
}

export interface ChartLines {
  readonly lines: readonly ChartLine[];
  /** `character` counts from 1; null if the error has no position. */
  readonly error: { readonly character: number | null; readonly message: string } | null;
}

export const fetchChartLines = (text: string): Promise<ChartLines> =>
  getJson<ChartLines>('datavisual/scalars/formulas/lines', { text });
