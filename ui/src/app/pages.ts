import type { Component } from 'vue';

import type { IconName } from '@/icons/paths';
import { plugins } from '@/plugins/registry';

/** A place in the rail. */
export interface Page {
  readonly name: string;
  /** Key of the title in the messages. */
  readonly title: string;
  readonly icon: IconName;
  readonly view: Component | null;
  /** Whether the page is about jobs as a whole and needs no data of a plugin. */
  readonly always: boolean;
}

/** The order of the rail; pages that nobody has written yet are there, faded. */
const RAIL: readonly IconName[] = [
  'runs', 'scalar', 'compare', 'histogram', 'image', 'tensor', 'text', 'audio', 'curves', 'mesh',
  'embedding', 'graph', 'lineage', 'health',
];

/** The rail: the planned pages, filled with what plugins bring, and those nobody planned behind. */
export function railPages(runs: Component): Page[] {
  const written = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  const planned = RAIL.map((name): Page => {
    const view = name === 'runs' ? runs : (written.get(name)?.view ?? null);
    return { name, title: `page.${name}`, icon: name, view, always: name === 'runs' };
  });
  const others = plugins
    .filter(({ name }) => !RAIL.some((planned_) => planned_ === name))
    .map(({ name, title, icon, view }): Page => ({ name, title, icon, view, always: false }));
  return [...planned, ...others];
}
