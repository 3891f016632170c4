import type { Logging } from '@/cards/logging';

export const logging: Logging = {
  torch: 'writer.add_custom_scalars(layout)',
  tensorflow: 'writer.add_summary(custom_scalar_summary.pb(layout))',
};
