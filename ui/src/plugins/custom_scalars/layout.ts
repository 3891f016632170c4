export interface Margin {
  readonly value: string;
  readonly lower: string;
  readonly upper: string;
}

export interface LayoutChart {
  readonly title: string;
  readonly kind: 'multiline' | 'margin';
  readonly series: readonly {
    readonly train_id: string;
    readonly tags?: readonly string[];
    readonly margins?: readonly Margin[];
  }[];
  readonly problems?: readonly string[];
}

export interface Layouts {
  readonly categories?: readonly {
    readonly title: string;
    readonly closed: boolean;
    readonly charts: readonly LayoutChart[];
  }[];
  readonly problems?: readonly { readonly train_id: string; readonly detail: string }[];
}

export interface PlacedChart {
  readonly key: string;
  /** `category/title`: its section is the category. */
  readonly tag: string;
  readonly chart: LayoutChart;
}

/** All charts; those without a title are numbered. */
export const placedCharts = (
  { categories }: Layouts,
  numbered: (n: number) => string,
): PlacedChart[] =>
  (categories ?? []).flatMap(({ title: category, charts }, i) =>
    charts.map((chart, j) => ({
      key: `${i}\0${j}`,
      tag: `${category.replaceAll('/', '∕')}/${chart.title || numbered(j + 1)}`,
      chart,
    })),
  );

/** A line per selected run and tag, with the tags of its band. */
export interface ChartLine {
  readonly trainId: string;
  readonly tag: string;
  readonly band: { readonly lower: string; readonly upper: string } | null;
}

export const linesOfChart = (chart: LayoutChart, selected: ReadonlySet<string>): ChartLine[] =>
  chart.series
    .filter(({ train_id: id }) => selected.has(id))
    .flatMap(({ train_id: trainId, tags, margins }) => [
      ...(tags ?? []).map((tag) => ({ trainId, tag, band: null })),
      ...(margins ?? []).map(({ value, lower, upper }) => ({
        trainId,
        tag: value,
        band: { lower, upper },
      })),
    ]);

export const tagsOf = (lines: readonly ChartLine[]): string[] =>
  [
    ...new Set(lines.flatMap(({ tag, band }) => (band ? [tag, band.lower, band.upper] : [tag]))),
  ].sort();
