import { defineStore } from 'pinia';
import { ref } from 'vue';

export const useDialogs = defineStore('dialogs', () => {
  const about = ref(false);
  /** A job's id, `''` for all jobs, or null if closed. */
  const findings = ref<string | null>(null);

  function showAbout(): void {
    findings.value = null;
    about.value = true;
  }

  function showFindings(trainId = ''): void {
    about.value = false;
    findings.value = trainId;
  }

  function close(): void {
    about.value = false;
    findings.value = null;
  }

  return { about, findings, showAbout, showFindings, close };
});
