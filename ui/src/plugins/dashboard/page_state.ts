import { textField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const dashboardState = definePageState('dashboard', {
  /** Id of a run; empty: the first selected one. */
  job: textField(),
});
