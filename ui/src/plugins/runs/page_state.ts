import { namesField, numberField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

/** Stands for all groups. */
export const EVERY = '*';

export const runsState = definePageState('runs', {
  /** Columns from left to right; none: the usual ones. */
  cols: namesField(),
  /** How many of them stay in view when the table is scrolled. */
  pin: numberField(1, 0, 20),
  sort: namesField(['-updated']),
  /** Fields by whose values jobs stand together; `*`: all hyper-parameters but the seed. */
  group: namesField(),
  /** Columns that somebody made wider or narrower: `name:320`. */
  widths: namesField(),
  /** Groups that are closed; behind `*`: those that are open. */
  closed: namesField(),
});
