import { naturalOrder } from '@/base/natural_order';
import { splitTag } from '@/base/shorten';

/** The first tag that as many jobs have as have any: what is worth a look beside every job. */
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
