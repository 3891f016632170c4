import { plugins } from '@/plugins/registry';

export const pageTitles = { en: titlesIn('en'), zh: titlesIn('zh') };

function titlesIn(language: 'en' | 'zh') {
  return {
    page: Object.fromEntries(plugins.map(({ name, title }) => [name, title[language]])),
    rail: Object.fromEntries(
      plugins.map(({ name, title, short = title }) => [name, short[language]]),
    ),
  };
}
