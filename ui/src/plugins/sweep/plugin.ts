import type { Plugin } from '../plugin';
import { hparamsLink, lineageLink } from './former_links';

export const plugin: Plugin = {
  name: 'sweep',
  title: { en: 'Sweep', zh: '调参' },
  place: 'sweep',
  icon: 'M4 3.5v13M10 3.5v13M16 3.5v13M4 6l6 7 6-8M4 13l6-6 6 7',
  order: 120,
  data: ['hparams'],
  parts: ['run_facts'],
  has: ({ lineage_files: files, plugins }) => files > 0 || (plugins['hparams']?.length ?? 0) > 0,
  facts: true,
  wide: true,
  formerly: { lineage: lineageLink, hparams: hparamsLink },
  view: () => import('./SweepPage.vue'),
};
