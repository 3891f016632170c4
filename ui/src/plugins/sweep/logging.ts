import type { Logging } from '@/cards/logging';

export const logging: Logging = {
  torch: 'writer.add_hparams(hparams, metrics)',
  tensorflow: 'hp.hparams(hparams)',
  mindspore: "SummaryCollector(collect_specified_data={'collect_train_lineage': True})",
  visualdl: 'writer.add_hparams(hparams_dict=hparams, metrics_list=names)',
};
