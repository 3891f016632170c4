import { createI18n } from 'vue-i18n';

import { en } from './en';
import { zh } from './zh';

/** Made for each app: the language is a preference, followed by the shell. */
export function createMessages(locale: 'en' | 'zh') {
  return createI18n({ legacy: false, locale, fallbackLocale: 'en', messages: { en, zh } });
}
