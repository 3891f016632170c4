import type { Logging } from '@/cards/logging';

export const logging: Logging = {
  mindspore: 'SummaryLandscape(directory).gen_landscapes_with_multi_process(callback)',
};
