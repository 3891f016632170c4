import type { IconName } from '@/icons/paths';

/** Something the command field finds and does. */
export interface PluginCommand {
  readonly kind: 'tag' | 'action';
  readonly name: string;
  readonly run: () => unknown;
}

/** Looks up a message, as vue-i18n's `t`. */
export type Translate = (key: string, values?: Record<string, unknown>) => string;

/** What a dashboard page declares of itself; see `registry.ts` for how it is found. */
export interface Plugin {
  /** The server's name of the kind of data: `scalar`. Also the page's path. */
  readonly name: string;
  /** Key of the page's title in the messages, `page.scalar`. */
  readonly title: string;
  /** Name of the icon in the rail. */
  readonly icon: IconName;
  /** Place behind the planned pages of the rail: lower is higher. */
  readonly order: number;
  /** What the command field offers beyond runs and pages; `open` goes to the page. */
  readonly commands?: (t: Translate, open: () => unknown) => PluginCommand[];
}
