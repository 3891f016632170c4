import { cardsField, namesField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const SHOWS = ['curve', 'time'] as const;

export const curvesState = definePageState('curves', {
  tags: textField(),
  show: wordField(SHOWS),
  /** Cards that are read as tables. */
  tables: namesField(),
  /** Ranges of steps that cards show, where that is not all. */
  zoom: cardsField(),
  folded: namesField(),
});
