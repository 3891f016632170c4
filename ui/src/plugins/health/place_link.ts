import type { StepWindow } from './api';
import { exactPattern } from '@/base/pattern';
import { viewLink } from '@/base/view_link';
import { runsText } from '@/store/selection_url';

/** A link to a place in the charts of a job: in that of a tag, or, of null, in all of them. */
export function placeLink(trainId: string, tag: string | null, [from, to]: StepWindow): string {
  return viewLink('scalar', {
    runs: runsText([trainId]),
    ...(tag !== null && { tags: exactPattern([tag]) }),
    // A window of one step would be none.
    zoom: `${from}..${Math.max(to, from + 1)}`,
  });
}
