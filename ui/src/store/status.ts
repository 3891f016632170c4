import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';

import { ApiError, inTime, serverNow } from '@/api/client';
import { fetchStatus, type Status } from '@/api/status';
import { nameRoot } from '@/store/job_name';

/** Milliseconds until a request without an answer has failed: polling waits for it. */
const LONGEST_WAIT = 60_000;

export const useStatus = defineStore('status', () => {
  const status = shallowRef<Status | null>(null);
  const problem = ref<string | null>(null);
  const tokenRequired = ref(false);
  /** The server's time at its last answer, in Unix seconds. */
  const now = ref(Date.now() / 1000);
  /** When loaded data last changed, in milliseconds of the browser's clock; null: not seen yet. */
  const changedAt = ref<number | null>(null);

  /** When the pending request started, in milliseconds; null: none is pending. */
  const waitingSince = ref<number | null>(null);

  async function refresh(): Promise<void> {
    waitingSince.value = Date.now();
    try {
      const answer = await inTime(LONGEST_WAIT, fetchStatus);
      const before = status.value;
      if (before?.load_status === 'loaded' && answer.data_version !== before.data_version)
        changedAt.value = Date.now();
      status.value = answer;
      nameRoot(answer.summary_base_dir);
      problem.value = null;
      tokenRequired.value = false;
      now.value = serverNow();
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      problem.value = reason.message;
      tokenRequired.value = reason.tokenRequired;
    } finally {
      waitingSince.value = null;
    }
  }

  return { status, problem, tokenRequired, now, changedAt, waitingSince, refresh };
});
