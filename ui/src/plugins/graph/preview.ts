import type { Previews } from '@/cards/preview';

import GraphPreview from './GraphPreview.vue';
import RunMetadataPreview from './RunMetadataPreview.vue';

export const previews: Previews = {
  graph: { title: { en: 'Graph', zh: '计算图' }, view: GraphPreview, most: 4 },
  optimized_graph: { title: { en: 'Optimized graph', zh: '优化后的计算图' }, unless: 'graph' },
  run_metadata: {
    title: { en: 'Run metadata', zh: '运行元数据' },
    view: RunMetadataPreview,
    most: 5,
  },
};
