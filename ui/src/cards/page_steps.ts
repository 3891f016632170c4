import { computed, onScopeDispose, shallowRef } from 'vue';

type GetSteps = () => ArrayLike<number> | null;

const registered = shallowRef<GetSteps | null>(null);

/** The steps of the open page's slider, ascending and distinct; null: the page has none. */
export const pageSteps = computed(() => registered.value?.() ?? null);

/** Shows a step slider beside the tabs, until the page closes. */
export function usePageSteps(steps: GetSteps): void {
  registered.value = steps;
  onScopeDispose(() => {
    // The next page may be open already.
    if (registered.value === steps) registered.value = null;
  });
}
