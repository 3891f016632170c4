import { namesField, numberField, textField } from '@/base/url_fields';
import { ALL_BUT_SEED } from '@/base/run_groups';
import { definePageState } from '@/store/page_state';
import type { UrlPart } from '@/store/url_state';

export const EVERY = '*';

export const runsState = definePageState('runs', {
  /** From left to right; none: the default. */
  cols: namesField(),
  pin: numberField(1, 0, 20),
  /** The run that the others are compared with; empty: none. */
  baseline: textField(),
  /** Changed widths: `name:320`. */
  widths: namesField(),
  /** Closed groups; after `*`: open ones. */
  closed: namesField(),
});

const NAMES = namesField();

/** Order and groups as links of earlier versions have them, of this page alone. */
export const oldArguments = (order: {
  sort: readonly string[];
  by: readonly string[];
}): UrlPart => ({
  write: () => ({ sort: undefined, group: undefined }),
  read: ({ sort, group }) => {
    if (sort !== undefined) order.sort = NAMES.read(sort) ?? [];
    if (group !== undefined)
      order.by = (NAMES.read(group) ?? []).map((name) => (name === '*' ? ALL_BUT_SEED : name));
  },
});
