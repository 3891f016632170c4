const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Orders names the way people count: `run_2` before `run_10`. Total: ties are broken by code. */
export function naturalOrder(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
