import {
  cardsField,
  flagField,
  namesField,
  numberField,
  textField,
  wordField,
} from '@/base/url_fields';
import { shownAsField } from '@/cards/shown_as';
import { definePageState } from '@/store/page_state';

export const SHOWS = ['faces', 'wires', 'points'] as const;

export const meshState = definePageState('mesh', {
  tags: textField(),
  show: wordField(SHOWS),
  /** Whether all meshes are turned together. */
  sync: flagField(true),
  /** Which mesh of a batch. */
  sample: numberField(0, 0),
  as: shownAsField,
  /** Where one looks from: alone or, without a name, with all. */
  cam: cardsField(),
  folded: namesField(),
});
