import { defineStore } from 'pinia';
import { ref } from 'vue';

/** How long it is told that something was copied, in milliseconds. */
const TOLD = 2_000;

/** Puts texts into the clipboard, and knows whether that has just happened. */
export const useCopiedText = defineStore('copied_text', () => {
  const copied = ref(false);
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function copy(text: string): Promise<void> {
    if (!(await written(text))) return;
    copied.value = true;
    clearTimeout(timer);
    timer = setTimeout(() => (copied.value = false), TOLD);
  }

  return { copied, copy };
});

/** Whether the clipboard has the text now. */
async function written(text: string): Promise<boolean> {
  // The clipboard is there on localhost and over HTTPS only, whatever its type says.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (clipboard) {
      await clipboard.writeText(text);
      return true;
    }
  } catch {
    // Forbidden: there is the old way.
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
