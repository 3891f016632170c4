import { onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

/** What came of loading an image: the old one stays until the new one is there. */
export interface LoadedImage {
  readonly image: ShallowRef<HTMLImageElement | null>;
  /** Why the server did not send it; empty: it did, or it is on its way. */
  readonly reason: Ref<string>;
  /** Whether the browser cannot decode what the server sent. */
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

/** The image at this URL; null: it did not load, or is none. */
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
