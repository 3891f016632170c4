import { SEVERITIES } from './api';
import { numberField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

/** What kinds were called in links when the page computed them itself. */
const FORMER: Readonly<Record<string, string>> = {
  infinite: 'infinity',
  replaced: 'duplicate_steps',
  clock: 'clock_back',
};

export const healthState = definePageState('health', {
  /** The kind of finding that is listed; empty: all. */
  kind: { ...textField(), read: (text) => FORMER[text] ?? text },
  /** Findings of which severity are listed; empty: all. A kind has one alone: never both. */
  severity: wordField(['', ...SEVERITIES]),
  /** Which page of the list, from 1. */
  page: numberField(1, 1),
});
