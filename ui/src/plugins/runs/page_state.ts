import { namesField, numberField, textField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const runsState = definePageState('runs', {
  /** Columns from left to right; none: the usual ones. */
  cols: namesField(),
  /** How many of them stay in view when the table is scrolled. */
  pin: numberField(1, 0, 20),
  sort: namesField(['-updated']),
  /** The field by whose value jobs stand together. */
  group: textField(),
  /** Groups that are closed. */
  closed: namesField(),
});
