/** The worker that paints bitmaps; null where there is none. */
export const startBitmapThread = (): Worker | null =>
  typeof OffscreenCanvas === 'undefined'
    ? null
    : new Worker(new URL('./bitmap_worker.ts', import.meta.url), { type: 'module' });
