import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'graph',
  title: { en: 'Graph', zh: '计算图' },
  icon: 'graph',
  order: 110,
  data: ['graph', 'run_metadata'],
  wide: true,
  view: () => import('./graph/GraphPage.vue'),
};
