import { flagField, namesField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

import { STATISTICS } from './groups';

export const SHOWS = ['table', 'parallel'] as const;

export const hparamsState = definePageState('hparams', {
  show: wordField(SHOWS),
  statistic: wordField(STATISTICS),
  every: flagField(),
  /** Key of the column that is sorted by, `-` before it for the largest first; empty: as they come. */
  sort: textField(),
  /** Groups whose sessions are shown. */
  open: namesField(),
});
