import { naturalOrder } from '@/base/natural_order';
import { splitTag } from '@/base/shorten';

/** The first of the tags that the most runs have. */
export function mostCommon(jobsWith: ReadonlyMap<string, number>): string | null {
  const inOrder = [...jobsWith.keys()].sort(
    (a, b) => naturalOrder(splitTag(a)[0], splitTag(b)[0]) || naturalOrder(a, b),
  );
  let best: string | null = null;
  let most = 0;
  for (const tag of inOrder) {
    const count = jobsWith.get(tag) ?? 0;
    if (count > most) [best, most] = [tag, count];
  }
  return best;
}
