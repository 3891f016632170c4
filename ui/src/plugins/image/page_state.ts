import { flagField, namesField, numberField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const MODES = ['grid', 'beside', 'difference'] as const;

export const imageState = definePageState('image', {
  tags: textField(),
  mode: wordField(MODES),
  /** The run to compare with; empty: the first selected one. */
  reference: textField(),
  brightness: numberField(100, 0, 400),
  contrast: numberField(100, 0, 400),
  actual: flagField(),
  sample: numberField(0, 0, 10_000),
  folded: namesField(),
});
