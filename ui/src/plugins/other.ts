import type { Plugin } from './plugin';

/** Whatever no other page shows: data of plugins that nobody wrote a page for. */
export const plugin: Plugin = {
  name: 'other',
  title: { en: 'Other data', zh: '其他数据' },
  icon: 'other',
  order: 125,
  data: [],
  rest: true,
  view: () => import('./other/OtherPage.vue'),
};
