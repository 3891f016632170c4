import { cardsField, flagField, namesField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const customScalarsState = definePageState('custom_scalars', {
  log: flagField(),
  tables: namesField(),
  zoom: cardsField(),
  folded: namesField(),
});
