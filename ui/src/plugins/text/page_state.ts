import { namesField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const SHOWS = ['rendered', 'source', 'changes'] as const;

export const textState = definePageState('text', {
  tags: textField(),
  show: wordField(SHOWS),
  folded: namesField(),
});
