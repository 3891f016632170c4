import { cardsField, namesField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const SHOWS = ['curve', 'time'] as const;

export const curvesState = definePageState('curves', {
  tags: textField(),
  show: wordField(SHOWS),
  tables: namesField(),
  zoom: cardsField(),
  /** Steps of single runs, by their names; others have that of all pages. */
  steps: cardsField(),
  folded: namesField(),
});
