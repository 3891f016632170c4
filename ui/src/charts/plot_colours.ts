/** Colours of the theme. Asking the page for one has all styles computed, so they are kept. */
export interface PlotColours {
  readonly dim: string;
  readonly grid: string;
  readonly bad: string;
  readonly panel: string;
}

export function plotColours(host: HTMLElement): PlotColours {
  const style = getComputedStyle(host);
  const colour = (name: string): string => style.getPropertyValue(name);
  return {
    dim: colour('--dim'),
    grid: colour('--grid'),
    bad: colour('--bad'),
    panel: colour('--panel'),
  };
}
