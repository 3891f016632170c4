import { flagField, namesField, textField, wordField } from '@/base/url_fields';
import { SCALES } from '@/charts/axis_scale';
import { definePageState } from '@/store/page_state';

import { STATISTICS } from './groups';

export const SHOWS = ['table', 'parallel'] as const;

export const hparamsState = definePageState('hparams', {
  show: wordField(SHOWS),
  statistic: wordField(STATISTICS),
  every: flagField(),
  scale: wordField(SCALES),
  tint: textField(),
  /** Marked ranges: `column:from..to`, as positions on the axes. */
  brush: namesField(),
  /** Sorted columns; `-` before a key: descending. */
  sort: namesField(['name']),
  open: namesField(),
});
