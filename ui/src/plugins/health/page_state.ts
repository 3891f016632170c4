import { SEVERITIES } from './api';
import { numberField, textField, wordField } from '@/base/url_fields';
import { definePageState } from '@/store/page_state';

/** Names of kinds in links of older versions. */
const FORMER: Readonly<Record<string, string>> = {
  infinite: 'infinity',
  replaced: 'duplicate_steps',
  clock: 'clock_back',
};

export const healthState = definePageState('health', {
  kind: { ...textField(), read: (text) => FORMER[text] ?? text },
  /** Only this run's events; empty: those of `of`. */
  run: textField(),
  of: wordField(['all', 'selected']),
  /** Empty: all. Never set together with a kind, which has one severity. */
  severity: wordField(['', ...SEVERITIES]),
  page: numberField(1, 1),
});
