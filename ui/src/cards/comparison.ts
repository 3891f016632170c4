import type { Component } from 'vue';

import type { UrlPart } from '@/store/url_state';

/** How the page that compares runs shows a page's data: `comparison` in its `comparison.ts`. */
export interface Comparison {
  /** What of the page's state its cards follow, for the URL. */
  readonly shownAs: () => UrlPart;
  /** Shows a tag of a run, with the props `tag` and `trainId`. */
  readonly card?: Component;
  readonly height?: number;
  /** Whether cards of a tag can share their axes: their prop `along` lists the runs of the row. */
  readonly along?: boolean;
  /** Shows all `tags` instead, where one card has all runs. */
  readonly view?: Component;
  readonly toolbar?: Component;
  /** How many runs `view` shows. */
  readonly most?: number;
}
