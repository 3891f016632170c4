import type { Previews } from '@/cards/preview';

import HealthPreview from './HealthPreview.vue';
import { plugin } from './plugin';

export const previews: Previews = {
  health: { title: plugin.title, view: HealthPreview, most: null, always: true },
};
