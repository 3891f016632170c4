import { defineStore } from 'pinia';
import { onBeforeUnmount, ref } from 'vue';

/** What is pointed at, shared by the job panel and all charts. */
export const useHover = defineStore('hover', () => {
  /** The job that is lit everywhere. */
  const trainId = ref<string | null>(null);
  /** Where the crosshair stands, in values of the x axis all charts share. */
  const x = ref<number | null>(null);

  function point(job: string | null, at: number | null): void {
    trainId.value = job;
    x.value = at;
  }

  return { trainId, x, point };
});

/** Listeners of what stands for a job and lights it. */
export interface Pointing {
  readonly mouseenter: () => void;
  readonly mouseleave: () => void;
}

/** Lights a job while the pointer is on the calling component; of null none. */
export function usePointing(trainId: () => string | null): Pointing {
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

  // What is scrolled away below the pointer is never left by it.
  onBeforeUnmount(mouseleave);
  return { mouseenter, mouseleave };
}
