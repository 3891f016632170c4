import { createI18n } from 'vue-i18n';

import { en } from './en';
import type { PageMessages } from './page_messages';
import { zh } from './zh';

type Titles = Readonly<Record<'page' | 'rail', Readonly<Record<string, string>>>>;

/** Made for each app: the language is a preference, followed by the shell. */
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
    /** Messages of a page that is shown: `title` of the page `text` is `text.title` from now on. */
    add: (page: string, messages: PageMessages): void => {
      i18n.global.mergeLocaleMessage('en', { [page]: messages.en });
      i18n.global.mergeLocaleMessage('zh', { [page]: messages.zh });
    },
  };
}

export type AddMessages = ReturnType<typeof createMessages>['add'];
