import { cardsField, flagField, namesField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const customScalarsState = definePageState('custom_scalars', {
  log: flagField(),
  /** Cards that are read as tables. */
  tables: namesField(),
  /** The range of steps that all cards show, where that is not all. */
  zoom: cardsField(),
  folded: namesField(),
});
