import { MAPS } from '@/base/colour_maps';
import { numberField, textField, wordField } from '@/base/url_fields';
import { shownAsField } from '@/cards/shown_as';
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
  map: wordField(MAPS),
  /** Of the way of training: `rrggbb`, or empty for the page's own, and pixels. */
  way: textField(),
  width: numberField(2, 1, 8),
  /** Of surfaces in space, in percent. */
  opacity: numberField(100, 10, 100),
  light: numberField(100, 0, 300),
  /** Where one looks from: all are turned together. */
  cam: textField(),
  as: shownAsField,
});
