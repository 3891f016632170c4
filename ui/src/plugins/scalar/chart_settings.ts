import { XAXES, type XAxis } from '@/charts/line';

import { readSmoothing, smoothingText, type Smoothing } from './view_url';

/** Settings of one chart; null: as on the page. */
export interface ChartSettings {
  readonly xAxis: XAxis | null;
  readonly logY: boolean | null;
  /** Strength 0: none. */
  readonly smoothing: Smoothing | null;
  /** Bounds of the y axis; null: of the data. */
  readonly low: number | null;
  readonly high: number | null;
}

export const USUAL: ChartSettings = {
  xAxis: null,
  logY: null,
  smoothing: null,
  low: null,
  high: null,
};

const NONE = 'none';

/** As in the URL: `x=wall,y=log,s=twema:0.6,low=0,high=1`; empty: as on the page. */
export const writeSettings = ({ xAxis, logY, smoothing, low, high }: ChartSettings): string =>
  [
    xAxis !== null && `x=${xAxis}`,
    logY !== null && `y=${logY ? 'log' : 'linear'}`,
    smoothing !== null && `s=${smoothingText(smoothing) || NONE}`,
    low !== null && `low=${low}`,
    high !== null && `high=${high}`,
  ]
    .filter(Boolean)
    .join(',');

export function readSettings(text: string): ChartSettings {
  const parts = new Map(
    text.split(',').map((part): [string, string] => {
      const at = part.indexOf('=');
      return [part.slice(0, at), part.slice(at + 1)];
    }),
  );
  const y = parts.get('y');
  const s = parts.get('s');
  return {
    xAxis: XAXES.find((axis) => axis === parts.get('x')) ?? null,
    logY: y === 'log' ? true : y === 'linear' ? false : null,
    smoothing: s === undefined ? null : readSmoothing(s === NONE ? '' : s),
    low: numberOf(parts.get('low')),
    high: numberOf(parts.get('high')),
  };
}

function numberOf(text = ''): number | null {
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : null;
}
