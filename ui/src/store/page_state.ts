import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';

import type { UrlField } from '@/base/url_fields';

import { useUrlState, type UrlPart } from './url_state';

type Fields = Readonly<Record<string, unknown>>;
type UrlFields<Values extends Fields> = { readonly [Name in keyof Values]: UrlField<Values[Name]> };
type Mutable<Values> = { -readonly [Name in keyof Values]: Values[Name] };

/** The state of a page, kept while others are open. Fields are URL arguments: never rename them. */
export function definePageState<Values extends Fields>(page: string, fields: UrlFields<Values>) {
  const names = Object.keys(fields) as (keyof Values & string)[];
  const useStore = defineStore(`page_${page}`, () => {
    const usual = Object.fromEntries(names.map((name) => [name, fields[name].usual]));
    return { state: shallowReactive(usual) };
  });

  const use = (): Mutable<Values> => useStore().state as Mutable<Values>;

  function partOf(
    shown: readonly (keyof Values & string)[],
    steps: readonly (keyof Values & string)[],
  ): UrlPart {
    const state = use();
    const written = (name: keyof Values & string): string | undefined => {
      const text = fields[name].write(state[name]);
      return text === fields[name].write(fields[name].usual) ? undefined : text;
    };
    return {
      write: () => Object.fromEntries(shown.map((name) => [name, written(name)])),
      read: (query) => {
        for (const name of shown) {
          const text = query[name];
          state[name] =
            (text === undefined ? undefined : fields[name].read(text)) ?? fields[name].usual;
        }
      },
      step: () => steps.map(written),
    };
  }

  /** For the page's setup. Changes of `steps` can be undone with Back. */
  function follow(steps: readonly (keyof Values & string)[] = []): Mutable<Values> {
    useUrlState().follow(partOf(names, steps));
    return use();
  }

  /** For pages that show cards of this one. */
  const cards = (shown: readonly (keyof Values & string)[]): UrlPart => partOf(shown, []);

  return { use, follow, cards };
}
