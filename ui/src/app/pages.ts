import type { IconName } from '@/icons/paths';
import type { Plugin } from '@/plugins/plugin';
import { dataOf, plugins } from '@/plugins/registry';

/** A place in the rail. */
export interface Page {
  readonly name: string;
  readonly icon: IconName;
  readonly order: number;
  /** Server's plugins whose data it shows; none: it is about jobs as a whole. */
  readonly data: readonly string[];
  readonly written: boolean;
}

interface Planned extends Pick<Plugin, 'title'> {
  readonly name: IconName;
  readonly order: number;
}

/** Pages that are there, faded, until somebody writes them. */
const PLANNED: readonly Planned[] = [];

const unwritten = PLANNED.filter(({ name }) => !plugins.some((plugin) => plugin.name === name));

/** The rail. */
export const pages: readonly Page[] = [
  ...plugins.flatMap((plugin) =>
    plugin.order === null
      ? []
      : [{ name: plugin.name, icon: plugin.icon, order: plugin.order, data: dataOf(plugin), written: true }],
  ),
  ...unwritten.map(({ name, order }) => ({ name, icon: name, order, data: [name], written: false })),
].sort((a, b) => a.order - b.order);

/** What the pages are called, by their names. */
export const pageTitles = {
  en: Object.fromEntries([...plugins, ...unwritten].map(({ name, title }) => [name, title.en])),
  zh: Object.fromEntries([...plugins, ...unwritten].map(({ name, title }) => [name, title.zh])),
};
