/** The first few of the items in order, as sorting all would give; of thousands most are looked at only once. */
export function firstOf<Item>(items: Iterable<Item>, most: number, order: (a: Item, b: Item) => number): Item[] {
  const first: Item[] = [];
  for (const item of items) {
    const last = first.at(-1);
    if (first.length >= most && (last === undefined || order(item, last) >= 0)) continue;
    const at = first.findIndex((other) => order(item, other) < 0);
    first.splice(at < 0 ? first.length : at, 0, item);
    if (first.length > most) first.pop();
  }
  return first;
}
