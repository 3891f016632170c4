import type { Logging } from '@/cards/logging';

export const datasetLogging: Logging = {
  mindspore: "SummaryCollector(collect_specified_data={'collect_dataset_graph': True})",
};

export const logging: Logging = {
  torch: 'writer.add_graph(model, inputs)',
  tensorflow: 'tf.keras.callbacks.TensorBoard(write_graph=True)',
  mindspore: "SummaryCollector(collect_specified_data={'collect_graph': True})",
  visualdl: 'writer.add_graph(model=model, input_spec=[spec])',
};
