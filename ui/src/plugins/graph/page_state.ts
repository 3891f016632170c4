import { namesField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const graphState = definePageState('graph', {
  job: textField(),
  tag: textField(),
  /** Names of the scopes that are open. */
  open: namesField(),
  /** Name of the node that is told of. */
  node: textField(),
  colour: wordField(['type', 'device', 'time', 'plain']),
});
