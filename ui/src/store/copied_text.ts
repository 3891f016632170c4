import { defineStore } from 'pinia';
import { ref } from 'vue';

const SHOWN_MS = 2_000;

export const useCopiedText = defineStore('copied_text', () => {
  /** The text copied within the last seconds, or null. */
  const text = ref<string | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function copy(wanted: string): Promise<void> {
    if (!(await written(wanted))) return;
    text.value = wanted;
    clearTimeout(timer);
    timer = setTimeout(() => (text.value = null), SHOWN_MS);
  }

  return { text, copy };
});

async function written(text: string): Promise<boolean> {
  // The clipboard exists only on localhost and over HTTPS.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (clipboard) {
      await clipboard.writeText(text);
      return true;
    }
  } catch {
    // Forbidden: fall back.
  }
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  document.body.append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way where there is no clipboard
  const done = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
