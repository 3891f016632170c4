import { flagField, namesField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

import { STATISTICS } from './rows';

export const SCALES = ['auto', 'linear', 'log', 'quantile'] as const;

/** In `tint`: lines have the colors of their runs. */
export const RUN_COLORS = 'run';

export const sweepState = definePageState('sweep', {
  /** Columns of the table and axes; empty: those that differ. */
  cols: namesField(),
  /** The order of axes; others are last. */
  axes: namesField(),
  /** Whether the table also shows parameters that are equal in all runs. */
  every: flagField(),
  scale: wordField(SCALES),
  /** The field that colors lines; empty: the target. */
  tint: textField(),
  /** Marked ranges: `field:from..to`, as positions on the axes. */
  brush: namesField(),
  target: textField(),
  scatter: flagField(),
  /** How metrics of a group of runs are summarized. */
  statistic: wordField(STATISTICS),
  /** Sorted columns; `-` before a field: descending. */
  sort: namesField(),
  /** Groups whose runs are shown. */
  open: namesField(),
});
