import { textField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const dashboardState = definePageState('dashboard', {
  /** Id of the job looked at; empty: the first of the chosen ones. */
  job: textField(),
});
