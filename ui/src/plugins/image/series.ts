import { apiUrl } from '@/api/client';
import type { Series } from '@/api/series';

/** What the server tells of images; their pixels are asked for one by one. */
export interface ImageSeries extends Series {
  /** Pixels; null: damaged. */
  readonly width: readonly (number | null)[];
  readonly height: readonly (number | null)[];
}

/** Where an image of a series is to be had. */
export function imageUrl(series: ImageSeries, row: number, sample: number): string {
  return apiUrl('series/image/blob', {
    train_id: series.train_id,
    tag: series.tag,
    step: series.step[row],
    index: sample,
  }).href;
}
