import { flagField, textField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const drawerState = definePageState('run_drawer', {
  /** Id of the open run; empty: none. */
  job: textField(),
  /** Whether it takes the whole width. */
  wide: flagField(),
});
