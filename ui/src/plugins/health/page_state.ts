import { textField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const healthState = definePageState('health', {
  /** The kind of finding that is listed; empty: all. */
  kind: textField(),
});
