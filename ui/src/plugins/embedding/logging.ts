import type { Logging } from '@/cards/logging';

export const logging: Logging = {
  torch: 'writer.add_embedding(vectors, metadata=labels, tag=tag)',
  tensorflow: 'tf.keras.callbacks.TensorBoard(embeddings_freq=1)',
  mindspore: "SummaryRecord.add_value('embedding', tag, Embedding(vectors, metadata))",
  visualdl: 'writer.add_embeddings(tag=tag, mat=vectors, metadata=labels)',
};
