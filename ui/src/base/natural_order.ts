const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Natural order: `run_2` before `run_10`. Ties are broken by code point. */
export const naturalOrder = (a: string, b: string): number =>
  collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
