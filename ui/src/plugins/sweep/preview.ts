import type { Previews } from '@/cards/preview';

export const previews: Previews = { hparams: null };
