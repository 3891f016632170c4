import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'media',
  title: { en: 'All', zh: '全部' },
  place: 'media',
  icon: 'M3 6.5h11v9.5H3zM6 3.5h11V13M3 13.5l3.5-3 3 2.5 2-1.5 2.5 2',
  order: 30,
  data: [],
  gathers: true,
  view: () => import('./MediaPage.vue'),
};
