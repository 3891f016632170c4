/** Rows created on demand: there may be a million. */
export interface LazyRows {
  readonly length: number;
  readonly at: (index: number) => readonly string[];
}
