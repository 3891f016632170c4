import { defineStore } from 'pinia';
import { onBeforeUnmount, ref } from 'vue';

export const useHover = defineStore('hover', () => {
  const trainId = ref<string | null>(null);
  const x = ref<number | null>(null);
  /** What `x` counts; null: the only x axis of the page. */
  const axis = ref<string | null>(null);

  function point(job: string | null, at: number | null, of: string | null = null): void {
    trainId.value = job;
    x.value = at;
    axis.value = of;
  }

  return { trainId, x, axis, point };
});

/** Highlight a job while the pointer is on the component; null: no job. */
export function usePointing(trainId: () => string | null) {
  const hover = useHover();
  let here = false;

  function mouseenter(): void {
    const id = trainId();
    here = id !== null;
    if (here) hover.point(id, null);
  }

  function mouseleave(): void {
    if (here) hover.point(null, null);
    here = false;
  }

  // Scrolling away fires no mouseleave.
  onBeforeUnmount(mouseleave);
  return { mouseenter, mouseleave };
}
