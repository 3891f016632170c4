import { namesField, numberField, textField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const mediaState = definePageState('media', {
  tags: textField(),
  /** The pages whose data is shown; empty: all. */
  types: namesField(),
  /** Least width of a card, in CSS pixels. */
  size: numberField(320, 200, 1000),
  folded: namesField(),
});
