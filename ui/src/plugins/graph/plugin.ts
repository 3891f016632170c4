import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'graph',
  title: { en: 'Graph', zh: '计算图' },
  place: 'model',
  icon: 'M10 5.5a2 2 0 1 0 0-.1zM3 15.5a2 2 0 1 0 0-.1zM13 15.5a2 2 0 1 0 0-.1zM11 7l-4.8 7M12.6 7.2l2 6.2',
  order: 90,
  data: ['graph', 'run_metadata'],
  parts: ['optimized_graph'],
  keys: [{ keys: ['F'], what: 'fit' }],
  wide: true,
  view: () => import('./GraphPage.vue'),
};
