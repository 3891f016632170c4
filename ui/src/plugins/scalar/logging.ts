import type { Logging } from '@/cards/logging';

export const logging: Logging = {
  torch: 'writer.add_scalar(tag, value, step)',
  tensorflow: 'tf.summary.scalar(tag, value, step=step)',
  mindspore: "SummaryRecord.add_value('scalar', tag, value)",
  visualdl: 'writer.add_scalar(tag=tag, value=value, step=step)',
};
