import { defineStore } from 'pinia';
import { ref } from 'vue';

export const useDialogs = defineStore('dialogs', () => {
  const about = ref(false);
  /** A job's id, `''` for all jobs, or null if closed. */
  const findings = ref<string | null>(null);

  /** What a snapshot has. */
  const snapshot = ref(false);

  function showAbout(): void {
    close();
    about.value = true;
  }

  function showFindings(trainId = ''): void {
    close();
    findings.value = trainId;
  }

  function showSnapshot(): void {
    close();
    snapshot.value = true;
  }

  function close(): void {
    about.value = false;
    findings.value = null;
    snapshot.value = false;
  }

  return { about, findings, snapshot, showAbout, showFindings, showSnapshot, close };
});
