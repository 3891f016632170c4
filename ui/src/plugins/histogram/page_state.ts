import { cardsField, namesField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const MODES = ['ridges', 'overlay', 'heat', 'bands'] as const;
/** As TensorBoard draws. */
export const EQUAL_BINS = 30;
export const AXES = ['step', 'relative', 'wall'] as const;

export const histogramState = definePageState('histogram', {
  tags: textField(),
  mode: wordField(MODES),
  x: wordField(AXES),
  bins: wordField(['logged', 'equal']),
  rows: wordField(['steps', 'buckets']),
  tables: namesField(),
  zoom: cardsField(),
  folded: namesField(),
});
