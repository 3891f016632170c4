import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'histogram',
  title: { en: 'Histograms', zh: '直方图' },
  place: 'distributions',
  icon: 'M4 16.5v-4h3v4zM8.5 16.5v-12h3v12zM13 16.5v-8h3v8z',
  order: 30,
  data: ['histogram', 'tensor'],
  cardOf: (tag) => tag,
  compares: true,
  view: () => import('./HistogramPage.vue'),
};
