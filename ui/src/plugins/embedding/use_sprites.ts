import { onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import { ApiError, getBytes, type Query } from '@/api/client';
import type { SpriteSheet } from '@/charts/point_cloud';

export interface Wanted {
  readonly query: Query;
  readonly size: readonly [number, number];
  readonly count: number;
}

/** Maximum texture size that all GPUs support. */
const MOST_SIDE = 4096;

/** The loaded images of points; null: none requested, or failed with a reason. */
export function useSprites(
  wanted: () => Wanted | null,
  undecodable: () => string,
  tooFew: (have: number) => string,
) {
  const sheet: ShallowRef<SpriteSheet | null> = shallowRef(null);
  const reason: Ref<string> = ref('');
  let turn = 0;

  function show(next: SpriteSheet | null, why: string): void {
    const before = sheet.value;
    sheet.value = next;
    reason.value = why;
    before?.picture.close();
  }

  async function load({ query, size: [width, height], count }: Wanted): Promise<void> {
    const ours = ++turn;
    let [next, why]: [SpriteSheet | null, string] = [null, ''];
    try {
      const picture = await decoded(await getBytes('series/embedding/blob', query));
      const columns = Math.floor(picture.width / width);
      const have = columns * Math.floor(picture.height / height);
      if (have < count) {
        picture.close();
        why = tooFew(have);
      } else {
        next = await fitting(picture, { columns, width, height });
      }
    } catch (error) {
      why = error instanceof ApiError ? error.message : undecodable();
    }
    if (ours === turn) show(next, why);
    else next?.picture.close();
  }

  watch(
    () => JSON.stringify(wanted()),
    () => {
      const now = wanted();
      if (now) {
        void load(now);
        return;
      }
      turn++;
      show(null, '');
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    turn++;
    sheet.value?.picture.close();
  });
  return { sheet, reason };
}

function decoded(bytes: Uint8Array): Promise<ImageBitmap> {
  return createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]), {
    premultiplyAlpha: 'none',
  });
}

async function fitting(
  picture: ImageBitmap,
  { columns, width, height }: Omit<SpriteSheet, 'picture'>,
): Promise<SpriteSheet> {
  const share = Math.min(1, MOST_SIDE / Math.max(picture.width, picture.height));
  if (share === 1) return { picture, columns, width, height };
  const small = await createImageBitmap(picture, {
    resizeWidth: Math.floor(picture.width * share),
    resizeHeight: Math.floor(picture.height * share),
    resizeQuality: 'medium',
    premultiplyAlpha: 'none',
  });
  const [across, down] = [small.width / picture.width, small.height / picture.height];
  picture.close();
  return { picture: small, columns, width: width * across, height: height * down };
}
