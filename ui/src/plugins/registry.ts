import type { Component } from 'vue';

import type { Plugin } from './plugin';

/**
 * Every `.vue` file beside this one is a page: its default export draws it, and the `plugin` it
 * exports says where it belongs. Adding a page is adding a file.
 */
const views = import.meta.glob<Component>('./*.vue', { eager: true, import: 'default' });
const declarations = import.meta.glob<Plugin>('./*.vue', { eager: true, import: 'plugin' });

export interface RegisteredPlugin extends Plugin {
  readonly view: Component;
}

export const plugins: readonly RegisteredPlugin[] = register();

function register(): RegisteredPlugin[] {
  const byName = new Map<string, RegisteredPlugin>();
  for (const [path, plugin] of Object.entries(declarations)) {
    const view = views[path];
    if (!view) throw new Error(`${path} draws nothing.`);
    if (byName.has(plugin.name)) throw new Error(`Two plugins are named ${plugin.name}.`);
    byName.set(plugin.name, { ...plugin, view });
  }
  return [...byName.values()].sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1));
}
