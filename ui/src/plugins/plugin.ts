import type { Component } from 'vue';
import type { LocationQuery, LocationQueryRaw } from 'vue-router';

import type { RunKind } from '@/store/job_listing';

import type { PlaceName } from './places';

export interface PluginCommand {
  readonly kind: 'action';
  readonly name: string;
  readonly run: () => unknown;
}

/** Looks up a message, as vue-i18n's `t`. */
export type Translate = (key: string, values?: Record<string, unknown>) => string;

interface Title {
  readonly en: string;
  readonly zh: string;
}

interface PageMode {
  /** The page that is in this mode; null: the first that can be. */
  readonly pageOf: (query: LocationQuery) => string | null;
  readonly queryOf: (page: string) => Readonly<Record<string, string>>;
}

/** A page's declaration: `plugin` in `<name>/plugin.ts`. */
export interface Plugin {
  /** Name of its folder, path, messages and, usually, of the server's plugin. */
  readonly name: string;
  readonly title: Title;
  /** Entry of the rail that leads to it. A place with several pages shows them as tabs. */
  readonly place: PlaceName;
  /** Outline of its icon on a grid of 20 x 20, drawn with a stroke of 1.5. */
  readonly icon: string;
  /** Position among the tabs of its place; the first page's icon is that of the place. */
  readonly order: number;
  /**
   * Server plugins whose data it shows; by default `[name]`. The page is hidden if no run has any,
   * and faded if only the selected runs lack it. Empty: it is about runs as a whole, always there.
   */
  readonly data?: readonly string[];
  /** Whether a run has data for it; by default if it has tags of `data`. */
  readonly has?: (run: RunKind) => boolean;
  /** Server plugins whose data is shown only as a part of other data. */
  readonly parts?: readonly string[];
  /** Whether it shows the data of the other pages of its place, by their `tile.ts`. */
  readonly gathers?: boolean;
  /** Whether it shows the data that no other page shows. */
  readonly rest?: boolean;
  /** Card title of a tag; absent: the page has no `tags` in its URL. */
  readonly cardOf?: (tag: string) => string;
  /** Whether it shows hyperparameters and metrics, which are then requested with its code. */
  readonly facts?: boolean;
  /** Whether the mode that compares runs shows its data, by its `comparison.ts`. */
  readonly compares?: boolean;
  /** Whether it is a mode of other pages rather than a tab. */
  readonly mode?: PageMode;
  /** Whether it takes the whole width, without the job panel. */
  readonly wide?: boolean;
  /** Earlier paths that lead here, with what their query means here; null: it leads there. */
  readonly formerly?: Readonly<Record<string, (query: LocationQuery) => LocationQueryRaw | null>>;
  readonly view: () => Promise<{ readonly default: Component }>;
  /** Actions it adds to the command field; `open` goes to the page. */
  readonly commands?: (t: Translate, open: () => unknown) => PluginCommand[];
  /** Its keyboard shortcuts, each with its message below `keys`. */
  readonly keys?: readonly { readonly keys: readonly string[]; readonly what: string }[];
}
