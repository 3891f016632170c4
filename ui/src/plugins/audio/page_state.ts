import { flagField, namesField, numberField, textField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const audioState = definePageState('audio', {
  tags: textField(),
  clip: numberField(0, 0, 10_000),
  loop: flagField(),
  rate: numberField(1, 0.25, 4),
  folded: namesField(),
});
