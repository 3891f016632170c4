import type { Previews } from '@/cards/preview';

import CurvePreview from './CurvePreview.vue';

export const previews: Previews = {
  pr_curve: {
    title: { en: 'PR curves', zh: 'PR 曲线' },
    view: CurvePreview,
    most: 4,
    layout: 'halves',
    props: { kind: 'pr_curve' },
  },
  roc_curve: {
    title: { en: 'ROC curves', zh: 'ROC 曲线' },
    view: CurvePreview,
    most: 4,
    layout: 'halves',
    props: { kind: 'roc_curve' },
  },
};
