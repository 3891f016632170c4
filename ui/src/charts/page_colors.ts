import type { Theme } from '@/base/job_colors';

/** The values of `app/styles/tokens.css`, for canvases and downloads. */
export interface PageColors {
  readonly panel: string;
  readonly raised: string;
  readonly ink: string;
  readonly dim: string;
  readonly line: string;
  readonly fieldLine: string;
  readonly grid: string;
  readonly accent: string;
  readonly bad: string;
}

export const PAGE_COLORS: Readonly<Record<Theme, PageColors>> = {
  light: {
    panel: '#ffffff',
    raised: '#f0f1f4',
    ink: '#1c1e24',
    dim: '#626773',
    line: '#e3e4e8',
    fieldLine: '#8b909c',
    grid: '#eceef1',
    accent: '#3454d1',
    bad: '#c22f2f',
  },
  dark: {
    panel: '#1a1c22',
    raised: '#23262e',
    ink: '#e8e9ed',
    dim: '#9ba1ad',
    line: '#2b2e37',
    fieldLine: '#6a6f7c',
    grid: '#262932',
    accent: '#8aa2ff',
    bad: '#ff7d73',
  },
};
