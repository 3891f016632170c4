import { wordField } from '@/base/url_fields';

/** Every picture that a screen reader can't read is there as a table, too. */
export const SHOWN_AS = ['picture', 'table'] as const;

export const shownAsField = wordField(SHOWN_AS);
