import { onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import { fetchFile } from '@/api/client';

/** The previous image stays until the new one is loaded. */
export interface LoadedImage {
  readonly image: ShallowRef<HTMLImageElement | null>;
  /** The server's error; empty: none, or still loading. */
  readonly reason: Ref<string>;
  /** Whether the browser cannot decode it. */
  readonly broken: Ref<boolean>;
  readonly retry: () => void;
}

/** The image at a URL that may change; null: none. */
export function useLoadedImage(url: () => string | null): LoadedImage {
  const image = shallowRef<HTMLImageElement | null>(null);
  const reason = ref('');
  const broken = ref(false);
  let wanted: string | null = null;

  async function load(from: string): Promise<void> {
    let next = await decoded(from);
    const why = next ? null : await serverReason(from);
    // The server may have recovered between the two requests.
    if (!next && why === null) next = await decoded(from);
    if (wanted !== from) return;
    image.value = next;
    reason.value = why ?? '';
    broken.value = !next && why === null;
  }

  watch(
    url,
    (from) => {
      wanted = from;
      if (from !== null) void load(from);
      else [image.value, reason.value, broken.value] = [null, '', false];
    },
    { immediate: true },
  );
  onScopeDispose(() => (wanted = null));

  function retry(): void {
    reason.value = '';
    if (wanted !== null) void load(wanted);
  }

  return { image, reason, broken, retry };
}

/** Null: not loaded, or not an image. */
async function decoded(url: string): Promise<HTMLImageElement | null> {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return image;
  } catch {
    return null;
  }
}

/** The server's error for a URL; null: none. */
async function serverReason(url: string): Promise<string | null> {
  try {
    const response = await fetchFile(url);
    if (response.ok) return null;
    const body = (await response.json()) as { error_msg?: string };
    return body.error_msg ?? response.statusText;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
