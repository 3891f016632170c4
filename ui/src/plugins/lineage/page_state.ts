import { flagField, namesField, textField, wordField } from '@/base/url_fields';
import { SCALES } from '@/charts/axis_scale';
import { definePageState } from '@/store/page_state';

export const lineageState = definePageState('lineage', {
  cols: namesField(),
  scale: wordField(SCALES),
  tint: textField(),
  /** Marked ranges: `field:from..to`, as positions on the axes. */
  brush: namesField(),
  target: textField(),
  scatter: flagField(),
  sort: namesField(),
});
