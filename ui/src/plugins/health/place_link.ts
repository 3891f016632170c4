import type { StepWindow } from './api';
import { exactPattern } from '@/base/pattern';
import { viewLink } from '@/base/view_link';
import { runsText } from '@/store/selection_url';

/** A link to a place in the chart of a tag; null: in all charts of the run. */
export const placeLink = (trainId: string, tag: string | null, [from, to]: StepWindow): string =>
  viewLink('scalar', {
    runs: runsText([trainId]),
    ...(tag !== null && { tags: exactPattern([tag]) }),
    // A window needs two steps.
    zoom: `${from}..${Math.max(to, from + 1)}`,
  });
