import { defineStore } from 'pinia';
import { ref, watch } from 'vue';

import { ApiError } from '@/api/client';
import { fetchChange } from '@/api/status';
import { currentTransport } from '@/api/transport';

import { useStatus } from './status';
import { useTrainJobs } from './train_jobs';

const TICK = 800;
const HIDDEN_TICK = 30_000;
const SLOWEST_RETRY = 15_000;
/** Pause between updates: `share` times the duration of the last one, within limits in milliseconds. */
const PAUSE = { least: 100, share: 2, most: 5_000 };
/** A server that answers sooner that nothing has changed can't wait. */
const SHORTEST_WAIT = 1_000;
/** Minimum milliseconds between full listings while the base dir is loading. */
const FULL_LISTING_EVERY = 2_000;

/** Milliseconds until polling goes on without listeners that have not finished. */
const LONGEST_UPDATE = 30_000;

type Listener = (dataVersion: number) => Promise<void>;

/**
 * Poll the status and fetch what changed; slower if hidden or unreachable. While visible, a request
 * that the server answers at the next change makes updates prompt.
 */
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
  let pause = PAUSE.least;
  let updatedAt = -Infinity;
  let change: AbortController | null = null;
  let canWait = true;
  const polls = (): boolean => !paused.value && currentTransport().isLive;

  /** Call the listener when the data has changed; returns a function that stops it. */
  function onChange(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  async function tick(): Promise<void> {
    if (busy) return;
    busy = true;
    clearTimeout(timer);
    const began = performance.now();
    try {
      if (!jobs.known) void jobs.begin();
      await status.refresh();
      failures = status.problem === null ? 0 : failures + 1;
      if (failures === 0) await follow();
    } finally {
      busy = false;
      updatedAt = performance.now();
      const share = PAUSE.share * (updatedAt - began);
      pause = Math.min(Math.max(PAUSE.least, share), PAUSE.most);
      schedule();
      void followNextChange();
    }
  }

  async function followNextChange(): Promise<void> {
    const isFollowing = wasLoaded && failures === 0 && jobs.problem === null;
    if (change || !canWait || !isFollowing || !polls() || document.hidden) return;
    const controller = (change = new AbortController());
    const began = performance.now();
    try {
      const before = dataVersion.value;
      const after = await fetchChange(before, controller.signal);
      change = null;
      if (after !== before) schedule(Math.max(0, pause - (performance.now() - updatedAt)));
      else if (performance.now() - began < SHORTEST_WAIT) canWait = false;
      else void followNextChange();
    } catch (reason) {
      change = null;
      // The status tells whether the server is there.
      if (!(reason instanceof ApiError)) throw reason;
    }
  }

  async function follow(): Promise<void> {
    const now = status.status;
    if (!now) return;
    const loaded = now.load_status === 'loaded';
    if (now.data_version === dataVersion.value && loaded === wasLoaded && jobs.known) return;
    const news = (): Promise<unknown> =>
      within(
        LONGEST_UPDATE,
        Promise.all([...listeners].map((listener) => listener(now.data_version))),
      );
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

  function schedule(soon: number | null = null): void {
    clearTimeout(timer);
    if (!polls()) return;
    const tickOrRetry = failures > 0 ? Math.min(TICK * 2 ** failures, SLOWEST_RETRY) : TICK;
    const usual = document.hidden ? HIDDEN_TICK : tickOrRetry;
    timer = setTimeout(() => void tick(), soon ?? usual);
  }

  function start(): void {
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) change?.abort();
      else if (polls()) void tick();
    });
    watch(paused, (stopped) => {
      if (stopped) {
        clearTimeout(timer);
        change?.abort();
      } else void tick();
    });
    void tick();
  }

  return { paused, dataVersion, onChange, start, tick };
});

/** Settles with the promise, or after these milliseconds. */
function within(milliseconds: number, promise: Promise<unknown>): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((done) => {
    timer = setTimeout(done, milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
