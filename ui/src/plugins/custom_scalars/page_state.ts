import { flagField, namesField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const customScalarsState = definePageState('custom_scalars', {
  log: flagField(),
  folded: namesField(),
});
