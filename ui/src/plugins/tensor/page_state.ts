import { cardsField, flagField, namesField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

import { NUMBER_FORMATS } from './elements';

export const SHOWS = ['table', 'statistics', 'distribution'] as const;

export const tensorState = definePageState('tensor', {
  tags: textField(),
  show: wordField(SHOWS),
  format: wordField(NUMBER_FORMATS),
  shade: flagField(true),
  tables: namesField(),
  zoom: cardsField(),
  /** Parts of tensors by card: `0,:,3`. */
  dims: cardsField(),
  folded: namesField(),
});
