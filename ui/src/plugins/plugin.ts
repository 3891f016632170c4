import type { Component } from 'vue';

import type { IconName } from '@/icons/paths';

/** Something the command field finds and does. */
export interface PluginCommand {
  readonly kind: 'action';
  readonly name: string;
  readonly run: () => unknown;
}

/** Looks up a message, as vue-i18n's `t`. */
export type Translate = (key: string, values?: Record<string, unknown>) => string;

/** What a page declares of itself; see `registry.ts` for how it is found. */
export interface Plugin {
  /** The page's path, the name of its messages, and usually the server's name of its data. */
  readonly name: string;
  /** What it is called. */
  readonly title: { readonly en: string; readonly zh: string };
  /** What it is called in the rail, where its title is too long: nine letters have room there. */
  readonly short?: { readonly en: string; readonly zh: string };
  readonly icon: IconName;
  /** Place in the rail: lower is higher. Null: it is led to from elsewhere. */
  readonly order: number | null;
  /**
   * Names of the server's plugins whose data it shows; `[name]` if absent. The page is faded where
   * no chosen job has any. Empty: it is about jobs as a whole, and never faded.
   */
  readonly data?: readonly string[];
  /** Whether it shows what no other page does: it is faded where there is none. */
  readonly rest?: boolean;
  /** How its cards are called, by tags; absent: it has no `tags` in its URL that filters them. */
  readonly cardOf?: (tag: string) => string;
  /** Names of the pages whose cards, and so whose messages, it uses. */
  readonly borrows?: readonly string[];
  /** Whether it shows how jobs were trained: that is asked for while the page is on its way. */
  readonly facts?: boolean;
  /** Whether it has the whole width, without the panel of jobs. */
  readonly wide?: boolean;
  /** Loads what draws it: only when somebody goes there. */
  readonly view: () => Promise<{ readonly default: Component }>;
  /** What the command field offers beyond runs and pages; `open` goes to the page. */
  readonly commands?: (t: Translate, open: () => unknown) => PluginCommand[];
}
