import { flagField, namesField, textField, wordField } from '@/base/url_fields';
import { SCALES } from '@/charts/axis_scale';
import { definePageState } from '@/store/page_state';

import { STATISTICS } from './groups';

export const SHOWS = ['table', 'parallel'] as const;

export const hparamsState = definePageState('hparams', {
  show: wordField(SHOWS),
  statistic: wordField(STATISTICS),
  every: flagField(),
  /** Of axes of numbers. */
  scale: wordField(SCALES),
  /** The column that colours lines; empty: they have the colours of runs. */
  tint: textField(),
  /** Ranges that are marked: `column:from..to`, as places on the axes. */
  brush: namesField(),
  /** Keys of the columns that are sorted by, `-` before one for the largest first. */
  sort: namesField(['name']),
  /** Groups whose sessions are shown. */
  open: namesField(),
});
