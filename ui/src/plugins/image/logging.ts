import type { Logging } from '@/cards/logging';

export const logging: Logging = {
  torch: 'writer.add_image(tag, image, step)',
  tensorflow: 'tf.summary.image(tag, images, step=step)',
  mindspore: "SummaryRecord.add_value('image', tag, array)",
  visualdl: 'writer.add_image(tag=tag, img=array, step=step)',
};
