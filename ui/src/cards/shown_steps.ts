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

/**
 * The steps that the cards of this page have, for its step slider. Those of a card that was
 * scrolled out of view stay, as long as the page still has it: the slider doesn't jump.
 */
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

/** Tells the page of a card which steps it has, once they are known. */
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
