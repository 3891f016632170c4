import { defineStore } from 'pinia';
import { ref, watch } from 'vue';

import { useStatus } from './status';
import { useTrainJobs } from './train_jobs';

const TICK = 800;
const HIDDEN_TICK = 30_000;
const SLOWEST_RETRY = 15_000;
/** Minimum milliseconds between full listings while the base dir is loading. */
const FULL_LISTING_EVERY = 2_000;

type Listener = (dataVersion: number) => Promise<void>;

/** Poll the status and fetch what changed; slower if hidden or unreachable. */
export const useLive = defineStore('live', () => {
  const status = useStatus();
  const jobs = useTrainJobs();
  const paused = ref(false);
  const dataVersion = ref(-1);

  const listeners = new Set<Listener>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let busy = false;
  let failures = 0;
  let fullListingAt = -Infinity;
  let wasLoaded = false;

  /** Call the listener when the data has changed; returns a function that stops it. */
  function onChange(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  async function tick(): Promise<void> {
    if (busy) return;
    busy = true;
    clearTimeout(timer);
    try {
      if (!jobs.known) void jobs.begin();
      await status.refresh();
      failures = status.problem === null ? 0 : failures + 1;
      if (failures === 0) await follow();
    } finally {
      busy = false;
      schedule();
    }
  }

  async function follow(): Promise<void> {
    const now = status.status;
    if (!now) return;
    const loaded = now.load_status === 'loaded';
    if (now.data_version === dataVersion.value && loaded === wasLoaded && jobs.known) return;
    const news = (): Promise<unknown> =>
      Promise.all([...listeners].map((listener) => listener(now.data_version)));
    if (loaded && wasLoaded) {
      // Visible series don't need the listing.
      await Promise.all([jobs.refresh(now, true), news()]);
    } else {
      if (!loaded && performance.now() - fullListingAt < FULL_LISTING_EVERY) return;
      await jobs.refresh(now, false);
      fullListingAt = performance.now();
    }
    if (jobs.problem !== null) return;
    wasLoaded = loaded;
    dataVersion.value = now.data_version;
    await news();
  }

  function schedule(): void {
    clearTimeout(timer);
    if (paused.value) return;
    const tickOrRetry = failures > 0 ? Math.min(TICK * 2 ** failures, SLOWEST_RETRY) : TICK;
    timer = setTimeout(() => void tick(), document.hidden ? HIDDEN_TICK : tickOrRetry);
  }

  function start(): void {
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && !paused.value) void tick();
    });
    watch(paused, (stopped) => {
      if (stopped) clearTimeout(timer);
      else void tick();
    });
    void tick();
  }

  return { paused, dataVersion, onChange, start, tick };
});
