import { cardsField, flagField, namesField, numberField, textField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const audioState = definePageState('audio', {
  tags: textField(),
  /** Which of several clips of a step is heard, by tag; counts from 0. */
  clip: cardsField(),
  loop: flagField(),
  rate: numberField(1, 0.25, 4),
  folded: namesField(),
});
