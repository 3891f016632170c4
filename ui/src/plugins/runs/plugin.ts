import { runIds } from '@/store/selection_url';

import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'runs',
  title: { en: 'Runs', zh: '作业' },
  place: 'runs',
  icon: 'M3.5 5.5h13M3.5 10h13M3.5 14.5h13',
  order: 0,
  data: [],
  facts: true,
  wide: true,
  keys: [
    { keys: ['J', 'K'], what: 'run' },
    { keys: ['X'], what: 'select' },
    { keys: ['H'], what: 'hideRun' },
    { keys: ['O'], what: 'open' },
    { keys: ['N'], what: 'note' },
    { keys: ['P'], what: 'pinRun' },
    { keys: ['B'], what: 'baseline' },
  ],
  // The page of one run, which was the first of the selected ones.
  formerly: {
    dashboard: (query) => ({ ...query, job: query['job'] ?? runIds(query['runs'])[0] }),
  },
  view: () => import('./RunsPage.vue'),
};
