import type { Component } from 'vue';

import type { UrlPart } from '@/store/url_state';

import type { Logging } from './logging';

/** How a page's data is shown among that of the other pages of its place: `tile` in its `tile.ts`. */
export interface Tile {
  /** What of the page's state its cards follow, for the URL. */
  readonly shownAs: () => UrlPart;
  readonly logging: Logging;
  /** Shows a tag of a run, with the props `tag` and `trainId`. */
  readonly card: Component;
  /**
   * Called while the page is set up. Returns the height of a card of a width, by its key in steps;
   * undefined: as usual.
   */
  readonly heights?: () => (card: string, width: number) => number | undefined;
  /** Name of the item that a tag belongs to; absent: each tag is one. */
  readonly nameOf?: (tag: string) => string;
}
