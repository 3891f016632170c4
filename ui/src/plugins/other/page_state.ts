import { namesField, textField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const otherState = definePageState('other', { tags: textField(), folded: namesField() });
