import { useI18n } from 'vue-i18n';

import { rangeOf } from '@/base/url_fields';
import { usePageZooms } from '@/cards/page_head';
import { XAXES, type Range, type ValueAxis } from '@/charts/line';

import { formatX } from './chart_texts';
import { useScalarView } from './view_state';

/** Shows the zooms beside the tabs: of the page, and of charts with other x axes. */
export function useZooms(): void {
  const { t } = useI18n();
  const view = useScalarView();

  function textOf(axis: ValueAxis, range: Range): string {
    const [from, to] = range.map((x) => formatX(x, axis));
    return axis === 'step'
      ? t('card.zoomed', { from, to })
      : t('scalar.zoomed', { axis: t(`scalar.axes.${axis}`), from, to });
  }

  usePageZooms(() => [
    ...(view.zoom
      ? [{ text: textOf(view.xAxis, view.zoom), reset: () => (view.zoom = null) }]
      : []),
    ...XAXES.flatMap((axis) => {
      const range = axis === view.xAxis ? null : rangeOf(view.zooms[axis] ?? '');
      if (range === null) return [];
      const others = Object.entries(view.zooms).filter(([other]) => other !== axis);
      const reset = (): unknown => (view.zooms = Object.fromEntries(others));
      return [{ text: textOf(axis, range), reset }];
    }),
  ]);
}
