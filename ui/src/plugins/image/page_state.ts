import {
  cardsField,
  flagField,
  namesField,
  numberField,
  textField,
  wordField,
} from '@/base/url_fields';
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
  /** Which of several images of a step is shown, by tag; counts from 0. */
  sample: cardsField(),
  /** Least width of a card, in CSS pixels. */
  size: numberField(220, 120, 1000),
  folded: namesField(),
});
