import type { Logging } from '@/cards/logging';

export const logging: Logging = {
  torch: 'writer.add_tensor(tag, tensor, step)',
  tensorflow: 'tf.summary.write(tag, tensor, step=step)',
  mindspore: "SummaryRecord.add_value('tensor', tag, array)",
};
