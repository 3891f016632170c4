import type { Previews } from '@/cards/preview';

import EmbeddingPreview from './EmbeddingPreview.vue';

export const previews: Previews = {
  embedding: {
    title: { en: 'Embeddings', zh: '嵌入向量' },
    view: EmbeddingPreview,
    most: 2,
    layout: 'halves',
  },
};
