import { defineStore } from 'pinia';
import { ref } from 'vue';

/** Which dialog is open: at most one. */
export const useDialogs = defineStore('dialogs', () => {
  const about = ref(false);
  /** Findings of one job (its id), of everything (`''`), or closed (null). */
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
