import type { Logging } from '@/cards/logging';

export const logging: Logging = {
  torch: 'writer.add_histogram(tag, values, step)',
  tensorflow: 'tf.summary.histogram(tag, values, step=step)',
  mindspore: "SummaryRecord.add_value('histogram', tag, array)",
  visualdl: 'writer.add_histogram(tag=tag, values=array, step=step)',
};
