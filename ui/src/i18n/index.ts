import { createI18n } from 'vue-i18n';

import { en } from './en';
import type { PageMessages } from './page_messages';
import { zh } from './zh';

type Titles = Readonly<Record<'page' | 'place', Readonly<Record<string, string>>>>;

export function createMessages(
  locale: 'en' | 'zh',
  titles: { readonly en: Titles; readonly zh: Titles },
) {
  const i18n = createI18n({
    legacy: false,
    locale,
    fallbackLocale: 'en',
    messages: { en: { ...en, ...titles.en }, zh: { ...zh, ...titles.zh } },
  });
  return {
    i18n,
    /** Adds the pages' messages: `title` of the page `text` becomes `text.title`. */
    add: (pages: ReadonlyMap<string, PageMessages>): void => {
      for (const [page, messages] of pages) {
        i18n.global.mergeLocaleMessage('en', { [page]: messages.en });
        i18n.global.mergeLocaleMessage('zh', { [page]: messages.zh });
      }
    },
  };
}

export type AddMessages = ReturnType<typeof createMessages>['add'];
