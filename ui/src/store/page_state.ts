import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';

import type { UrlField } from '@/base/url_fields';

import { useUrlState } from './url_state';

type Fields = Readonly<Record<string, unknown>>;
type UrlFields<Values extends Fields> = { readonly [Name in keyof Values]: UrlField<Values[Name]> };
type Mutable<Values> = { -readonly [Name in keyof Values]: Values[Name] };

/**
 * The state of a page: kept while one looks at other pages, and in the URL while the page is
 * shown. A field's name is its argument in the URL: short, and never renamed, so that old links
 * keep working; `runs`, `filter`, `step` and `align` belong to all pages.
 */
export function definePageState<Values extends Fields>(page: string, fields: UrlFields<Values>) {
  const names = Object.keys(fields) as (keyof Values & string)[];
  const useStore = defineStore(`page_${page}`, () => {
    const usual = Object.fromEntries(names.map((name) => [name, fields[name].usual]));
    return { state: shallowReactive(usual) };
  });

  function use(): Mutable<Values> {
    return useStore().state as Mutable<Values>;
  }

  /** For the page itself, in its setup. Changes of `steps` are steps that Back undoes. */
  function follow(steps: readonly (keyof Values & string)[] = []): Mutable<Values> {
    const state = use();
    const written = (name: keyof Values & string): string | undefined => {
      const text = fields[name].write(state[name]);
      return text === fields[name].write(fields[name].usual) ? undefined : text;
    };
    useUrlState().follow({
      write: () => Object.fromEntries(names.map((name) => [name, written(name)])),
      read: (query) => {
        for (const name of names) {
          const text = query[name];
          state[name] = (text === undefined ? undefined : fields[name].read(text)) ?? fields[name].usual;
        }
      },
      step: () => steps.map(written),
    });
    return state;
  }

  return { use, follow };
}
