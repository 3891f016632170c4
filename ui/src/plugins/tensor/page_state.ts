import { cardsField, flagField, namesField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

import { NUMBER_FORMATS } from './elements';

export const SHOWS = ['table', 'statistics', 'distribution'] as const;

export const tensorState = definePageState('tensor', {
  tags: textField(),
  show: wordField(SHOWS),
  format: wordField(NUMBER_FORMATS),
  shade: flagField(true),
  /** Cards that are read as tables. */
  tables: namesField(),
  /** Ranges of steps that cards show, where that is not all. */
  zoom: cardsField(),
  /** What of a tensor is shown: `0,:,3` of each card whose part is not the usual one. */
  dims: cardsField(),
  folded: namesField(),
});
