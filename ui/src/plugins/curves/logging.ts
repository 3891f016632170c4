import type { Logging } from '@/cards/logging';

export const logging: Logging = {
  torch: 'writer.add_pr_curve(tag, labels, predictions, step)',
  mindspore: "SummaryRecord.add_value('pr_curve', tag, PrCurve(labels, predictions))",
  visualdl: 'writer.add_pr_curve(tag=tag, labels=labels, predictions=predictions, step=step)',
};
