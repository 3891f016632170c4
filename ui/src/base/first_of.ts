/** The first items in order, without sorting all. */
export function firstOf<Item>(
  items: Iterable<Item>,
  most: number,
  order: (a: Item, b: Item) => number,
): Item[] {
  const first: Item[] = [];
  for (const item of items) {
    const last = first.at(-1);
    if (first.length >= most && (last === undefined || order(item, last) >= 0)) continue;
    first.splice(placeOf(item, first, order), 0, item);
    if (first.length > most) first.pop();
  }
  return first;
}

function placeOf<Item>(
  item: Item,
  sorted: readonly Item[],
  order: (a: Item, b: Item) => number,
): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = sorted[middle];
    if (other !== undefined && order(item, other) < 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
