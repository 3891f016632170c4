import type { Logging } from '@/cards/logging';

export const logging: Logging = {
  torch: 'writer.add_audio(tag, samples, step, sample_rate=rate)',
  tensorflow: 'tf.summary.audio(tag, clips, rate, step=step)',
  mindspore: "SummaryRecord.add_value('audio', tag, Audio(samples, rate))",
  visualdl: 'writer.add_audio(tag=tag, audio_array=samples, step=step, sample_rate=rate)',
};
