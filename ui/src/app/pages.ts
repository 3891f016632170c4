import { plugins } from '@/plugins/registry';

/** Titles of the pages by name; `rail`: their short forms. */
export const pageTitles = { en: titlesIn('en'), zh: titlesIn('zh') };

function titlesIn(language: 'en' | 'zh') {
  return {
    page: Object.fromEntries(plugins.map(({ name, title }) => [name, title[language]])),
    rail: Object.fromEntries(
      plugins.map(({ name, title, short = title }) => [name, short[language]]),
    ),
  };
}
