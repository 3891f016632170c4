import { useI18n } from 'vue-i18n';

import { formatSetting, formatStep, formatValue } from '@/base/format';
import type { Spot } from '@/base/shapes';
import { useRunNames } from '@/store/run_names';

import { gridSpot, walked, type Surface } from './surface';

/** Text for a place: the loss on the path there, or at the nearest grid point. */
export function useReadings(): (
  surfaces: readonly Surface[],
  until: number,
  at: Spot,
) => { readonly head: string; readonly lines: readonly string[] } {
  const { t } = useI18n();
  const runNames = useRunNames();
  return (surfaces, until, at) => ({
    head: `x ${formatSetting(at.x)}, y ${formatSetting(at.y)}`,
    lines: surfaces.map((surface) => {
      const onPath = walked(surface.path, until).find(({ x, y }) => x === at.x && y === at.y);
      const loss = formatValue(onPath?.z ?? gridSpot(surface, at)?.z ?? NaN);
      const words = onPath
        ? t('landscape.walked', { at: formatStep(onPath.at), loss })
        : t('landscape.lossIs', { loss });
      return surfaces.length > 1 ? `${runNames.nameOf(surface.trainId)}: ${words}` : words;
    }),
  });
}
