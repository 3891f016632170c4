import { namesField, numberField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const EVERY = '*';

export const runsState = definePageState('runs', {
  /** From left to right; none: the default. */
  cols: namesField(),
  pin: numberField(1, 0, 20),
  sort: namesField(['-updated']),
  /** Fields to group by; `*`: all hyperparameters except the seed. */
  group: namesField(),
  /** Changed widths: `name:320`. */
  widths: namesField(),
  /** Closed groups; after `*`: open ones. */
  closed: namesField(),
});
