import { flagField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

import { VIEWS } from './comparisons';

export const compareState = definePageState('compare', {
  view: wordField(VIEWS),
  tags: textField(),
  /** Whether cards side by side have different axes. */
  apart: flagField(),
  /** The two runs whose values are compared; by default the first selected ones. */
  a: textField(),
  b: textField(),
  rtol: textField('0'),
  atol: textField('0'),
  /** Rules that rename tags of the first run, a rule per line. */
  rules: textField(),
});
