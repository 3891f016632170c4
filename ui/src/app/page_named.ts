import { shallowRef } from 'vue';

import { PLACE_NAMES } from '@/plugins/places';
import type { Plugin } from '@/plugins/plugin';
import { pagesIn, plugins } from '@/plugins/registry';

/** The path of a link to no page, until another page is opened. */
export const missingPage = shallowRef<string | null>(null);

/** The page whose name, title or place is this one but for case, plural and punctuation. */
export function pageNamed(path: string): Plugin | undefined {
  const wanted = letters(path);
  const isWanted = (name: string): boolean => letters(name) === wanted;
  return (
    plugins.find(({ name, title }) => isWanted(name) || isWanted(title.en)) ??
    PLACE_NAMES.filter(isWanted).flatMap(pagesIn)[0]
  );
}

const letters = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[\s/_-]/g, '')
    .replace(/s$/, '');
