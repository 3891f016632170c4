import { flagField, namesField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

import { STATISTICS } from './groups';

export const SHOWS = ['table', 'parallel'] as const;

export const hparamsState = definePageState('hparams', {
  show: wordField(SHOWS),
  statistic: wordField(STATISTICS),
  every: flagField(),
  /** Ranges that are marked: `column:from..to`. */
  brush: namesField(),
  /** Keys of the columns that are sorted by, `-` before one for the largest first. */
  sort: namesField(['name']),
  /** Groups whose sessions are shown. */
  open: namesField(),
});
