import { cardsField, flagField, namesField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const customScalarsState = definePageState('custom_scalars', {
  log: flagField(),
  tables: namesField(),
  /** The range of steps of all cards, if zoomed. */
  zoom: cardsField(),
  folded: namesField(),
});
