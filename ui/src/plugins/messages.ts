import type { PageMessages } from '@/i18n/page_messages';

import { byFolder } from './by_folder';

export const messages = byFolder(
  import.meta.glob<PageMessages>('./*/messages.ts', { eager: true }),
);
