import type { Component, InjectionKey } from 'vue';

/** How the drawer of a run shows one kind of data: an entry of `previews` in a page's `preview.ts`. */
export interface Preview {
  readonly title: { readonly en: string; readonly zh: string };
  /** Shows a tag, with the props `trainId` and `tag`; absent: tags are only listed. */
  readonly view?: Component;
  /** How many tags are shown; null: `view` shows the whole run, without a tag. */
  readonly most?: number | null;
  /** Below each other (the default), as tiles, or in two columns. */
  readonly layout?: 'rows' | 'tiles' | 'halves';
  /** Name of the item that a tag belongs to; absent: each tag is one. */
  readonly nameOf?: (tag: string) => string;
  readonly props?: Readonly<Record<string, unknown>>;
  /** Shown for every run, whatever it logged. */
  readonly always?: boolean;
  /** Whether it explains what is wrong with the run: it comes first. */
  readonly isUrgent?: (trainId: string) => boolean;
  /** Hidden if the run also has data of this kind. */
  readonly unless?: string;
}

/** By the server's plugin; null: the card of the run's config shows it. */
export type Previews = Readonly<Record<string, Preview | null>>;

/** Links to a tag's card; undefined if the page has none. */
export const TAG_LINK: InjectionKey<(tag: string) => string | undefined> = Symbol('tag link');
