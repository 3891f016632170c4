import { computed } from 'vue';

import { drawerState } from './drawer_state';

/** The open run and its neighbors among the rows of the table. */
export function useDrawer(listed: () => readonly string[]) {
  const state = drawerState.follow(['job']);

  const index = computed(() => listed().indexOf(state.job));
  const neighbor = (by: -1 | 1): string | undefined =>
    index.value < 0 ? undefined : listed()[index.value + by];

  function step(by: -1 | 1): void {
    state.job = neighbor(by) ?? state.job;
  }

  function close(): void {
    const { job } = state;
    state.job = '';
    // The row it was opened from, if it is still there.
    document.querySelector<HTMLElement>(`[data-job="${CSS.escape(job)}"] a`)?.focus();
  }

  return {
    job: computed(() => state.job),
    hasPrevious: computed(() => neighbor(-1) !== undefined),
    hasNext: computed(() => neighbor(1) !== undefined),
    open: (trainId: string): void => {
      state.job = trainId;
    },
    step,
    close,
  };
}
