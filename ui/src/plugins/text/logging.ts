import type { Logging } from '@/cards/logging';

export const logging: Logging = {
  torch: 'writer.add_text(tag, markdown, step)',
  tensorflow: 'tf.summary.text(tag, markdown, step=step)',
  mindspore: "SummaryRecord.add_value('text', tag, markdown)",
  visualdl: 'writer.add_text(tag=tag, text_string=markdown, step=step)',
};
