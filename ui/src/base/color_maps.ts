/** Color maps ordered by lightness, so that they work for color-blind people. */
export const MAPS = ['viridis', 'cividis', 'inferno', 'greys'] as const;
export type MapName = (typeof MAPS)[number];

type Channels = readonly [number, number, number];

const STOPS: Readonly<Record<MapName, readonly string[]>> = {
  viridis: ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'],
  cividis: ['#00204d', '#424d6c', '#7c7b78', '#bcaf6f', '#ffea46'],
  inferno: ['#140428', '#57106e', '#bc3754', '#f98e09', '#fcffa4'],
  greys: ['#181818', '#f0f0f0'],
};

function channelsOf(color: string): Channels {
  const channel = (at: number): number => parseInt(color.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

/** A color between two, as channels. */
export function mixed(from: string, to: string, share: number): Channels {
  const [a, b] = [channelsOf(from), channelsOf(to)];
  const mix = (i: 0 | 1 | 2): number => Math.round(a[i] + (b[i] - a[i]) * share);
  return [mix(0), mix(1), mix(2)];
}

export function ramp(share: number, map: MapName): Channels {
  const stops = STOPS[map];
  const at = (Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0) * (stops.length - 1);
  const first = Math.min(Math.floor(at), stops.length - 2);
  return mixed(stops[first] ?? '', stops[first + 1] ?? '', at - first);
}

/** The part of a map with enough contrast to the page, for lines. */
export const lineShare = (share: number, theme: string): number =>
  theme === 'dark' ? 0.4 + 0.6 * share : 0.56 * share;
