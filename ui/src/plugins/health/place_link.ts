import { exactPattern } from '@/base/pattern';
import { viewLink } from '@/base/view_link';
import type { Query } from '@/store/url_state';

import type { StepWindow } from './api';

/** A link to a place in the chart of a tag; null: in all charts. `view`: what all pages share. */
export const placeLink = (view: Query, tag: string | null, [from, to]: StepWindow): string =>
  viewLink('scalar', {
    ...view,
    ...(tag !== null && { tags: exactPattern([tag]) }),
    // A window needs two steps.
    zoom: `${from}..${Math.max(to, from + 1)}`,
  });
