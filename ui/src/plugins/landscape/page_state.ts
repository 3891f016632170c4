import { namesField, numberField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const SHOWS = ['contour', 'topographic', 'space'] as const;

export const landscapeState = definePageState('landscape', {
  show: wordField(SHOWS),
  /** Id of the interval, or `final`; empty: the first there is. */
  interval: textField(),
  /** Whether jobs stand beside each other or in one picture. */
  compare: wordField(['beside', 'overlay']),
  lines: numberField(14, 2, 60),
  /** How much of the path is drawn, in percent. */
  until: numberField(100, 0, 100),
  as: wordField(['picture', 'table']),
  folded: namesField(),
});
