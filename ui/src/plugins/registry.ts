import { PLACE_NAMES, type PlaceName } from './places';
import type { Plugin } from './plugin';

const declarations = import.meta.glob<Plugin>('./*/plugin.ts', { eager: true, import: 'plugin' });

/** All pages, in the order of the rail and its tabs. */
export const plugins: readonly Plugin[] = register();

/** Server plugins that have a page. */
export const SHOWN: ReadonlySet<string> = new Set(
  plugins.flatMap((plugin) => [...dataOf(plugin), ...(plugin.parts ?? [])]),
);

/** Path of the page shown first. */
export const HOME = `/${plugins[0]?.name ?? ''}`;

function register(): Plugin[] {
  for (const [path, { name }] of Object.entries(declarations))
    if (path !== `./${name}/plugin.ts`) throw new Error(`${path} declares ${name}.`);
  const rank = ({ place }: Plugin): number => PLACE_NAMES.indexOf(place);
  return Object.values(declarations).sort(
    (a, b) => rank(a) - rank(b) || a.order - b.order || (a.name < b.name ? -1 : 1),
  );
}

export function dataOf({ name, data }: Plugin): readonly string[] {
  return data ?? [name];
}

export const pagesIn = (place: PlaceName): readonly Plugin[] =>
  plugins.filter((plugin) => plugin.place === place);
