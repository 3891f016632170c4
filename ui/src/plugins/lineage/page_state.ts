import { flagField, namesField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const VIEWS = ['model', 'data'] as const;

export const lineageState = definePageState('lineage', {
  view: wordField(VIEWS),
  /** Axes from left to right; none: the usual ones. */
  cols: namesField(),
  /** Ranges that are marked: `field:from..to`. */
  brush: namesField(),
  target: textField(),
  /** The dataset that one came for. */
  dataset: textField(),
  scatter: flagField(),
  sort: namesField(),
});
