/** Rows of a table that are made when they are seen: there may be a million. */
export interface LazyRows {
  readonly length: number;
  readonly at: (index: number) => readonly string[];
}
