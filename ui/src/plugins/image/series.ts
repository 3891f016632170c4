import { fileUrl } from '@/api/client';
import type { Series } from '@/api/series';

/** Pixels are requested image by image. */
export interface ImageSeries extends Series {
  readonly width: readonly (number | null)[];
  readonly height: readonly (number | null)[];
  /** Images per step. */
  readonly samples: readonly (number | null)[];
}

export const imageUrl = (series: ImageSeries, row: number, sample: number): string =>
  fileUrl('series/image/blob', {
    train_id: series.train_id,
    tag: series.tag,
    step: series.step[row],
    index: sample,
  });
