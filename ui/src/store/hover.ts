import { defineStore } from 'pinia';
import { ref } from 'vue';

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
