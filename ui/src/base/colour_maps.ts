/** Color maps ordered by lightness, so that they work for color-blind people. */
export const MAPS = ['viridis', 'cividis', 'inferno', 'greys'] as const;
export type MapName = (typeof MAPS)[number];

type Channels = readonly [number, number, number];

const STOPS: Readonly<Record<MapName, readonly [Channels, ...Channels[]]>> = {
  viridis: [
    [68, 1, 84],
    [59, 82, 139],
    [33, 145, 140],
    [94, 201, 98],
    [253, 231, 37],
  ],
  cividis: [
    [0, 32, 77],
    [66, 77, 108],
    [124, 123, 120],
    [188, 175, 111],
    [255, 234, 70],
  ],
  inferno: [
    [20, 4, 40],
    [87, 16, 110],
    [188, 55, 84],
    [249, 142, 9],
    [252, 255, 164],
  ],
  greys: [
    [24, 24, 24],
    [240, 240, 240],
  ],
};

/** Red, green and blue, 0 to 255. */
export function ramp(share: number, map: MapName): Channels {
  const stops = STOPS[map];
  const at = (Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0) * (stops.length - 1);
  const first = Math.min(Math.floor(at), stops.length - 2);
  const [from, to] = [stops[first] ?? stops[0], stops[first + 1] ?? stops[0]];
  const mixed = (i: 0 | 1 | 2): number => Math.round(from[i] + (to[i] - from[i]) * (at - first));
  return [mixed(0), mixed(1), mixed(2)];
}

/** The part of a map with enough contrast to the page, for lines. */
export function lineShare(share: number, theme: string): number {
  return theme === 'dark' ? 0.4 + 0.6 * share : 0.56 * share;
}
