import type { Logging } from '@/cards/logging';

export const logging: Logging = {
  mindspore: "SummaryCollector(collect_specified_data={'collect_dataset_graph': True})",
};
