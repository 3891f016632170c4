import type { PageMessages } from '@/i18n/page_messages';

import { byFolder } from './by_folder';

/** The messages of all pages, by their names. */
export const messages = byFolder(
  import.meta.glob<PageMessages>('./*/messages.ts', { eager: true }),
);
