interface Title {
  readonly en: string;
  readonly zh: string;
}

/** Entries of the rail, in order. Each page's `plugin.ts` says which one it is in. */
const TITLES = {
  runs: { en: 'Runs', zh: '作业' },
  charts: { en: 'Charts', zh: '图表' },
  sweep: { en: 'Sweep', zh: '调参' },
  media: { en: 'Media', zh: '媒体' },
  distributions: { en: 'Distributions', zh: '分布' },
  model: { en: 'Model', zh: '模型' },
  health: { en: 'Health', zh: '健康' },
} as const satisfies Readonly<Record<string, Title>>;

export type PlaceName = keyof typeof TITLES;

export const placeTitles: Readonly<Record<PlaceName, Title>> = TITLES;

export const PLACE_NAMES = Object.keys(TITLES) as readonly PlaceName[];
