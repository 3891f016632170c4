import type { StepWindow } from '@/api/findings';
import { exactPattern } from '@/base/pattern';
import { namesField } from '@/base/url_fields';

/** A link to a place in the charts of a job: in that of a tag, or, of null, in all of them. */
export function placeLink(trainId: string, tag: string | null, [from, to]: StepWindow): string {
  const run = trainId.startsWith('./') && trainId !== './' ? trainId.slice(2) : `/${trainId}`;
  const query = new URLSearchParams({
    runs: namesField().write([run]),
    ...(tag !== null && { tags: exactPattern([tag]) }),
    // A window of one step would be none.
    zoom: `${from}..${Math.max(to, from + 1)}`,
  });
  return `#/scalar?${query.toString().replaceAll('+', '%20')}`;
}
