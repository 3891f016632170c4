import { PLACE_NAMES, placeTitles } from '@/plugins/places';
import { plugins } from '@/plugins/registry';

export const pageTitles = { en: titlesIn('en'), zh: titlesIn('zh') };

function titlesIn(language: 'en' | 'zh') {
  return {
    page: Object.fromEntries(plugins.map(({ name, title }) => [name, title[language]])),
    place: Object.fromEntries(PLACE_NAMES.map((name) => [name, placeTitles[name][language]])),
  };
}
