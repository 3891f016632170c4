import { flagField, namesField, textField, wordField } from '@/base/url_fields';
import { SCALES } from '@/charts/axis_scale';
import { definePageState } from '@/store/page_state';

export const VIEWS = ['model', 'data'] as const;

export const lineageState = definePageState('lineage', {
  view: wordField(VIEWS),
  /** Axes from left to right; none: the usual ones. */
  cols: namesField(),
  /** Of axes of numbers. */
  scale: wordField(SCALES),
  /** The field that colours lines; empty: they have the colours of runs. */
  tint: textField(),
  /** Ranges that are marked: `field:from..to`, as places on the axes. */
  brush: namesField(),
  target: textField(),
  /** The dataset that one came for. */
  dataset: textField(),
  scatter: flagField(),
  sort: namesField(),
});
