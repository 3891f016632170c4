import type { Tile } from '@/cards/tile';
import type { Query, UrlPart } from '@/store/url_state';

import { byFolder } from '../by_folder';
import { dataOf, plugins } from '../registry';

const found = byFolder(import.meta.glob<Tile>('../*/tile.ts', { eager: true, import: 'tile' }));

/** A page whose cards are shown here. */
export interface Kind {
  readonly page: string;
  /** The server plugins of its data. */
  readonly data: readonly string[];
  readonly tile: Tile;
}

/** All kinds of data that have tiles, in the order of their pages. */
export const KINDS: readonly Kind[] = plugins.flatMap((plugin) => {
  const tile = found.get(plugin.name);
  return tile ? [{ page: plugin.name, data: dataOf(plugin), tile }] : [];
});

/** A part of the URL whose arguments have a page's name in front, as several have the same. */
export function prefixed(page: string, part: UrlPart): UrlPart {
  const start = `${page}.`;
  return {
    write: () =>
      Object.fromEntries(
        Object.entries(part.write()).map(([name, value]) => [`${start}${name}`, value]),
      ),
    read: (query: Query) =>
      part.read(
        Object.fromEntries(
          Object.entries(query).flatMap(([name, value]) =>
            name.startsWith(start) ? [[name.slice(start.length), value]] : [],
          ),
        ),
      ),
    step: () => part.step?.(),
  };
}
