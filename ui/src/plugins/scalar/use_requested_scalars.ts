import { onScopeDispose, watch } from 'vue';

import { ownValue } from '@/base/own_value';
import { rangeOf, type CardTexts } from '@/base/url_fields';
import type { Window } from '@/store/scalar_windows';
import { useScalars } from '@/store/scalars';

import { readSettings } from './chart_settings';
import { useScalarView } from './view_state';
import { smoothingText } from './view_url';

/** Milliseconds without movement before a pan requests points. */
const RESTED = 150;
/** The same for the smoothing slider. */
const SLID = 120;

/** Requests the charts' window, x axis and smoothing until the calling scope ends. */
export function useRequestedScalars(): void {
  const scalars = useScalars();
  const view = useScalarView();
  let resting: ReturnType<typeof setTimeout> | undefined;
  let sliding: ReturnType<typeof setTimeout> | undefined;

  watch(
    () => [view.zoom, view.xAxis] as const,
    ([zoom, axis]) => {
      scalars.window = zoom === null ? null : { axis, from: zoom[0], to: zoom[1] };
    },
    { immediate: true },
  );
  watch(
    () => (view.xAxis === 'value' ? view.xTag : null),
    (tag) => (scalars.xTag = tag),
    { immediate: true },
  );
  scalars.smoothing = smoothingText(view);
  watch(
    () => smoothingText(view),
    (text) => {
      clearTimeout(sliding);
      sliding = setTimeout(() => (scalars.smoothing = text), SLID);
    },
  );
  watch(
    () => JSON.stringify(smoothingsOf(view.settings)),
    (pairs) => (scalars.smoothings = new Map(JSON.parse(pairs) as [string, string][])),
    { immediate: true },
  );
  watch(
    () => JSON.stringify(windowsOf(view)),
    (pairs) => (scalars.windows = new Map(JSON.parse(pairs) as [string, Window][])),
    { immediate: true },
  );
  watch(
    () => view.panned,
    (panned) => {
      clearTimeout(resting);
      const axis = view.xAxis;
      if (panned?.axis !== axis) return;
      const { range } = panned;
      resting = setTimeout(() => (scalars.window = { axis, from: range[0], to: range[1] }), RESTED);
    },
  );
  onScopeDispose(() => {
    clearTimeout(resting);
    clearTimeout(sliding);
    view.panned = null;
    scalars.window = null;
    scalars.windows = new Map();
    scalars.xTag = null;
    scalars.smoothing = '';
    scalars.smoothings = new Map();
  });
}

/** Charts with their own smoothing, as the server writes it. */
const smoothingsOf = (settings: CardTexts): [string, string][] =>
  Object.entries(settings).flatMap(([chart, text]) => {
    const { smoothing } = readSettings(text);
    return smoothing === null ? [] : [[chart, smoothingText(smoothing)]];
  });

/** Of charts with another x axis than the page; null: not zoomed. */
function windowsOf({
  settings,
  zooms,
  xAxis: usual,
}: ReturnType<typeof useScalarView>): [string, Window][] {
  return Object.entries(settings).flatMap(([chart, text]): [string, Window][] => {
    const { xAxis } = readSettings(text);
    if (xAxis === null || xAxis === usual) return [];
    const range = rangeOf(ownValue(zooms, xAxis) ?? '');
    return [[chart, range && { axis: xAxis, from: range[0], to: range[1] }]];
  });
}
