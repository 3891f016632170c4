import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';

import { ApiError, serverNow } from '@/api/client';
import { fetchStatus, type Status } from '@/api/status';
import { nameRoot } from '@/store/job_name';

/** How the server is doing, as of its last answer. */
export const useStatus = defineStore('status', () => {
  const status = shallowRef<Status | null>(null);
  /** Why the last request failed; null if it did not. */
  const problem = ref<string | null>(null);
  /** Whether it failed because the server wants a token. */
  const tokenRequired = ref(false);
  /** What time the server had when it last answered, in Unix seconds. */
  const now = ref(Date.now() / 1000);
  /** When the data last changed, as far as we saw, by our clock, in milliseconds. */
  const changedAt = ref(0);

  /** Since when an answer is waited for, by our clock, in milliseconds; null: none is. */
  const waitingSince = ref<number | null>(null);

  async function refresh(): Promise<void> {
    waitingSince.value = Date.now();
    try {
      const answer = await fetchStatus();
      if (answer.data_version !== status.value?.data_version) changedAt.value = Date.now();
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
