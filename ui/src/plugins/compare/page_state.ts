import { flagField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

export const VIEWS = ['parameters', 'scalar', 'image', 'text', 'audio', 'histogram'] as const;

export const compareState = definePageState('compare', {
  view: wordField(VIEWS),
  tags: textField(),
  /** Whether histograms beside each other have axes of their own. */
  apart: flagField(),
});
