/** The slot of `count` evenly spaced ones that is nearest to a share of the width. */
export const nearestSlot = (share: number, count: number): number =>
  Math.min(count - 1, Math.max(0, Math.round(share * (count - 1))));

/** The items with one moved to another index. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  return items.toSpliced(from, 1).toSpliced(to, 0, ...items.slice(from, from + 1));
}

/** The items in the order of another list; those that it lacks are last, in their own order. */
export function inOrder<Item>(items: readonly Item[], order: readonly Item[]): Item[] {
  const known = order.filter((item) => items.includes(item));
  return [...new Set([...known, ...items])];
}
