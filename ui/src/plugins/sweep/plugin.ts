import type { Plugin } from '../plugin';
import { hparamsLink, lineageLink } from './former_links';

/** Texts that the server reads as config, if they are JSON; see docs/lineage.md. */
const CONFIG_TEXT =
  /^(args|arguments|cfg|config|hparams|hyper_?parameters|params|training_args)(\/text_summary)?$/;

export const plugin: Plugin = {
  name: 'sweep',
  title: { en: 'Sweep', zh: '调参' },
  place: 'sweep',
  icon: 'M4 3.5v13M10 3.5v13M16 3.5v13M4 6l6 7 6-8M4 13l6-6 6 7',
  order: 120,
  data: ['hparams'],
  parts: ['run_facts'],
  has: ({ lineage_files: files, plugins: { hparams, text } }) =>
    files > 0 || (hparams?.length ?? 0) > 0 || text?.some((tag) => CONFIG_TEXT.test(tag)) === true,
  facts: true,
  wide: true,
  formerly: { lineage: lineageLink, hparams: hparamsLink },
  view: () => import('./SweepPage.vue'),
};
