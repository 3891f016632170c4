import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'other',
  title: { en: 'Other', zh: '其他' },
  place: 'media',
  icon: 'M3.5 3.5H9V9H3.5zM11 3.5h5.5V9H11zM3.5 11H9v5.5H3.5zM13.75 11v5.5M11 13.75h5.5',
  order: 95,
  data: [],
  rest: true,
  view: () => import('./OtherPage.vue'),
};
