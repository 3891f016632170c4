import type { PageMessages } from '@/i18n/page_messages';

import type { Plugin } from './plugin';

/**
 * Every module beside this one is a page: the `plugin` it exports says where it belongs and how it
 * is loaded. Its messages are in `<name>/messages.ts`. Adding a page is adding files.
 */
const declarations = import.meta.glob<Plugin>(
  ['./*.ts', '!./plugin.ts', '!./registry.ts', '!./*.test.ts'],
  { eager: true, import: 'plugin' },
);
const messages = import.meta.glob<PageMessages>('./*/messages.ts');

export const plugins: readonly Plugin[] = register();

function register(): Plugin[] {
  const byName = new Map<string, Plugin>();
  for (const [path, plugin] of Object.entries(declarations)) {
    if (path !== `./${plugin.name}.ts`) throw new Error(`${path} declares ${plugin.name}.`);
    byName.set(plugin.name, plugin);
  }
  const place = ({ order }: Plugin): number => order ?? Infinity;
  return [...byName.values()].sort((a, b) => place(a) - place(b) || (a.name < b.name ? -1 : 1));
}

/** Server's plugins whose data a page shows. */
export function dataOf({ name, data }: Plugin): readonly string[] {
  return data ?? [name];
}

/** The messages of a page; null if it has none of its own. */
export async function loadMessages(name: string): Promise<PageMessages | null> {
  return (await messages[`./${name}/messages.ts`]?.()) ?? null;
}
