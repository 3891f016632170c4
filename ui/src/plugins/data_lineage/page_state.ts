import { textField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const dataLineageState = definePageState('data_lineage', {
  /** The marked dataset. */
  dataset: textField(),
});
