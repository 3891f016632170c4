import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'compare',
  title: { en: 'Compare', zh: '对比' },
  place: 'charts',
  icon: 'M4.5 3.5v13M15.5 3.5v13M4.5 10h11',
  order: 20,
  data: [],
  mode: {
    pageOf: ({ view }) => (typeof view === 'string' ? view : null),
    queryOf: (page) => ({ view: page }),
  },
  view: () => import('./ComparePage.vue'),
};
