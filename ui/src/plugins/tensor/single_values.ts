import { inject, provide, shallowReactive, watch, type InjectionKey } from 'vue';

type Keys = Set<string>;

export const SINGLE_VALUES: InjectionKey<Keys> = Symbol('cards whose tensors have no dimensions');

/** Keys of the page's cards that show a single value, as far as loaded. */
export function useSingleValues(): ReadonlySet<string> {
  const keys: Keys = shallowReactive(new Set<string>());
  provide(SINGLE_VALUES, keys);
  return keys;
}

/** Reports to the page whether a card shows a single value. */
export function useSingleValueOf(key: () => string, isSingle: () => boolean): void {
  const keys = inject(SINGLE_VALUES, null);
  watch(
    [key, isSingle] as const,
    ([name, single], [before]) => {
      if (before !== undefined && before !== name) keys?.delete(before);
      if (single) keys?.add(name);
      else keys?.delete(name);
    },
    { immediate: true },
  );
}
