import { cardsField, flagField, namesField, textField, wordField } from '@/base/url_fields';
import { shownAsField } from '@/cards/shown_as';
import { definePageState } from '@/store/page_state';

export const SHOWS = ['faces', 'wires', 'points'] as const;

export const meshState = definePageState('mesh', {
  tags: textField(),
  show: wordField(SHOWS),
  sync: flagField(true),
  sample: cardsField(),
  as: shownAsField,
  /** Camera positions by card; without a name: the shared one. */
  cam: cardsField(),
  folded: namesField(),
});
