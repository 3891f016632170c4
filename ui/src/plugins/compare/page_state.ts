import { flagField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

import { VIEWS } from './comparisons';

export const compareState = definePageState('compare', {
  view: wordField(VIEWS),
  tags: textField(),
  /** Whether cards side by side have different axes. */
  apart: flagField(),
});
