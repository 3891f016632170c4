import { MAPS } from '@/base/color_maps';
import { numberField, textField, wordField } from '@/base/url_fields';
import { shownAsField } from '@/cards/shown_as';
import { definePageState } from '@/store/page_state';

export const SHOWS = ['contour', 'topographic', 'space'] as const;

export const landscapeState = definePageState('landscape', {
  show: wordField(SHOWS),
  interval: textField(),
  compare: wordField(['beside', 'overlay']),
  lines: numberField(14, 2, 60),
  until: numberField(100, 0, 100),
  map: wordField(MAPS),
  /** `rrggbb`; empty: the default. */
  way: textField(),
  width: numberField(2, 1, 8),
  opacity: numberField(100, 10, 100),
  light: numberField(100, 0, 300),
  cam: textField(),
  as: shownAsField,
});
