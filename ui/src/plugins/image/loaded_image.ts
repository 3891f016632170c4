import { onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

/** What came of loading an image: the old one stays until the new one is there. */
export interface LoadedImage {
  readonly image: ShallowRef<HTMLImageElement | null>;
  /** Why there is none; empty: there is, or it is on its way. */
  readonly reason: Ref<string>;
  readonly retry: () => void;
}

/** The image at a URL that may change; null: none. */
export function useLoadedImage(url: () => string | null, undecodable: () => string): LoadedImage {
  const image = shallowRef<HTMLImageElement | null>(null);
  const reason = ref('');
  let wanted: string | null = null;

  async function load(from: string): Promise<void> {
    const next = new Image();
    next.src = from;
    try {
      await next.decode();
      if (wanted !== from) return;
      image.value = next;
      reason.value = '';
    } catch {
      const why = await serverReason(from);
      if (wanted !== from) return;
      image.value = null;
      reason.value = why ?? undecodable();
    }
  }

  watch(url, (from) => {
    wanted = from;
    if (from !== null) void load(from);
    else [image.value, reason.value] = [null, ''];
  }, { immediate: true });
  onScopeDispose(() => (wanted = null));

  function retry(): void {
    reason.value = '';
    if (wanted !== null) void load(wanted);
  }

  return { image, reason, retry };
}

/** What the server says of a URL that is no image; null: it has nothing against it. */
async function serverReason(url: string): Promise<string | null> {
  try {
    const response = await fetch(url);
    if (response.ok) return null;
    const body = (await response.json()) as { error_msg?: string };
    return body.error_msg ?? response.statusText;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
