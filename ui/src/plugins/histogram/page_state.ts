import { cardsField, namesField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const MODES = ['ridges', 'overlay', 'heat', 'bands'] as const;
export const AXES = ['step', 'relative', 'wall'] as const;

export const histogramState = definePageState('histogram', {
  tags: textField(),
  mode: wordField(MODES),
  x: wordField(AXES),
  /** What tables list: a row for each step, or for each bucket. */
  rows: wordField(['steps', 'buckets']),
  /** Cards that are read as tables. */
  tables: namesField(),
  /** Ranges of steps that cards show, where that is not all. */
  zoom: cardsField(),
  folded: namesField(),
});
