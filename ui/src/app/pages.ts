import type { IconName } from '@/icons/paths';
import { dataOf, plugins } from '@/plugins/registry';

/** A place in the rail. */
export interface Page {
  readonly name: string;
  readonly icon: IconName;
  readonly order: number;
  /** Server's plugins whose data it shows; none: it is about jobs as a whole. */
  readonly data: readonly string[];
  /** It shows what no other page does. */
  readonly rest: boolean;
}

/** The rail. */
export const pages: readonly Page[] = plugins
  .flatMap((plugin) =>
    plugin.order === null
      ? []
      : [
          {
            name: plugin.name,
            icon: plugin.icon,
            order: plugin.order,
            data: dataOf(plugin),
            rest: plugin.rest ?? false,
          },
        ],
  )
  .sort((a, b) => a.order - b.order);

/** What the pages are called, by their names; `rail`: where there is little room. */
export const pageTitles = { en: titlesIn('en'), zh: titlesIn('zh') };

function titlesIn(language: 'en' | 'zh') {
  return {
    page: Object.fromEntries(plugins.map(({ name, title }) => [name, title[language]])),
    rail: Object.fromEntries(
      plugins.map(({ name, title, short }) => [name, (short ?? title)[language]]),
    ),
  };
}
