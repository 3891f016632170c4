import { flagField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const SHAPES = ['contour', 'topographic', 'surface'] as const;

export const landscapeState = definePageState('landscape', {
  shape: wordField(SHAPES),
  /** Id of the interval; empty: the landscape around the result. */
  interval: textField(),
  path: flagField(true),
});
