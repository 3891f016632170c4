import type { Previews } from '@/cards/preview';

import { useIssues } from '@/store/issues';

import HealthPreview from './HealthPreview.vue';
import { plugin } from './plugin';

const isUrgent = (trainId: string): boolean => useIssues().divergenceOf(trainId).length > 0;

export const previews: Previews = {
  health: { title: plugin.title, view: HealthPreview, most: null, always: true, isUrgent },
};
