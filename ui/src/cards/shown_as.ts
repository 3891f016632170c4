import { wordField } from '@/base/url_fields';

/** Every picture is available as a table for screen readers. */
export const SHOWN_AS = ['picture', 'table'] as const;

export const shownAsField = wordField(SHOWN_AS);
