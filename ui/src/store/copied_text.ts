import { defineStore } from 'pinia';
import { ref } from 'vue';

const SHOWN_MS = 2_000;

export const useCopiedText = defineStore('copied_text', () => {
  const copied = ref(false);
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function copy(text: string): Promise<void> {
    if (!(await written(text))) return;
    copied.value = true;
    clearTimeout(timer);
    timer = setTimeout(() => (copied.value = false), SHOWN_MS);
  }

  return { copied, copy };
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
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  document.body.append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way where there is no clipboard
  const done = document.execCommand('copy');
  field.remove();
  return done;
}
