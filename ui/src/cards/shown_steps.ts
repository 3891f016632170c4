import {
  computed,
  inject,
  provide,
  shallowReactive,
  watch,
  type ComputedRef,
  type InjectionKey,
} from 'vue';

import { unionOfSteps } from '@/base/steps';

type StepsOfCards = Map<string, ArrayLike<number>>;

const KEY: InjectionKey<StepsOfCards> = Symbol('steps of the cards of a page');

/** Steps of the page's cards. Unmounted cards keep theirs, so the slider does not jump. */
export function useStepsOfCards(keys: () => Iterable<string>): ComputedRef<Float64Array> {
  const known: StepsOfCards = shallowReactive(new Map<string, ArrayLike<number>>());
  provide(KEY, known);
  return computed(() =>
    unionOfSteps(
      [...keys()].flatMap((key) => {
        const list = known.get(key);
        return list ? [list] : [];
      }),
    ),
  );
}

/** Reports a card's steps to its page. */
export function useCardSteps(key: () => string, steps: () => ArrayLike<number> | undefined): void {
  const known = inject(KEY, null);
  watch(
    [key, steps],
    ([name, list]) => {
      if (list) known?.set(name, list);
    },
    { immediate: true },
  );
}
