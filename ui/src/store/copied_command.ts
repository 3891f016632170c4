import { defineStore } from 'pinia';
import { computed, ref } from 'vue';

import { fetchQuestion } from '@/api/asking';
import { ApiError } from '@/api/client';
import { askCommand } from '@/base/ask_command';

import { useCopiedText } from './copied_text';
import { useShareLink } from './share_link';

/** Copies the command that answers what the page shows. */
export const useCopiedCommand = defineStore('copied_command', () => {
  const copied = useCopiedText();
  const here = useShareLink();
  const text = ref<string | null>(null);
  const isCopied = computed(() => text.value !== null && copied.text === text.value);

  async function copy(): Promise<void> {
    const link = here();
    text.value = askCommand(document.baseURI, link, await questionOf(link));
    await copied.copy(text.value);
  }

  return { isCopied, copy };
});

/** Null if the server cannot tell: a link is a question, too. */
async function questionOf(link: string): Promise<string | null> {
  try {
    return await fetchQuestion(link);
  } catch (reason) {
    if (reason instanceof ApiError) return null;
    throw reason;
  }
}
