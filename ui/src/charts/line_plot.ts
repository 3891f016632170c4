import uPlot from 'uplot';

import { xTicks, yTicks, type LabelledTicks } from './axis_ticks';
import { extentX, extentY } from './extent';
import type { ChartFrame, Line, Range } from './line';
import { LIT_WIDTH, paintLines, paintLit, paintMarks, type Projection } from './paint';

/** What the pointer does on a plot, in values of x and CSS pixels of the plot. */
export interface PlotEvents {
  readonly moved: (x: number, top: number) => void;
  readonly left: () => void;
  readonly zoomed: (range: Range) => void;
  readonly reset: () => void;
}

/** What lies over the lines: changes with every move, so it has a canvas of its own. */
export interface Overlay {
  /** Where the crosshair stands; null: nowhere. */
  readonly x: number | null;
  readonly lit: Line | null;
  /** Points to mark. */
  readonly points: readonly { readonly line: Line; readonly index: number }[];
}

const LINEAR = 1 as uPlot.Scale.Distr;
const LOGARITHMIC = 3 as uPlot.Scale.Distr;
const FALLBACK: Range = [0, 1];

/**
 * A line chart on a canvas: uPlot brings scales, axes, selection and resizing; the lines, each
 * with an x of its own, are painted by us into its picture.
 */
export class LinePlot {
  private plot: uPlot;
  private readonly overlay = document.createElement('canvas');
  private lines: readonly Line[] = [];
  private frame: ChartFrame = { xAxis: 'step', logX: false, logY: false, zoom: null };
  private rangeX: Range = FALLBACK;
  private rangeY: Range = FALLBACK;
  private ticks: { x: LabelledTicks; y: LabelledTicks } = { x: NO_TICKS, y: NO_TICKS };
  private shown: Overlay = { x: null, lit: null, points: [] };
  private readonly style: CSSStyleDeclaration;

  constructor(
    private readonly host: HTMLElement,
    private readonly events: PlotEvents,
  ) {
    this.style = getComputedStyle(host);
    this.overlay.className = 'plot-overlay';
    this.plot = this.create();
  }

  /** Show these lines in this frame; the old picture stays until the new one is painted. */
  draw(lines: readonly Line[], frame: ChartFrame): void {
    const before = this.distribution();
    this.lines = lines;
    this.frame = frame;
    this.measure();
    const after = this.distribution();
    if (before.x !== after.x || before.y !== after.y) {
      this.plot.destroy();
      this.plot = this.create();
    } else {
      this.plot.setData([[...this.rangeX], [null, null]]);
    }
    this.paintOverlay();
  }

  /** Show this over the lines. */
  show(overlay: Overlay): void {
    this.shown = overlay;
    this.paintOverlay();
  }

  resize(): void {
    const { width, height } = this.size();
    if (width === this.plot.width && height === this.plot.height) return;
    this.plot.setSize({ width, height });
    this.paintOverlay();
  }

  /** Paint anew, with the colours the theme has now. */
  repaint(): void {
    this.plot.redraw(false, true);
    this.paintOverlay();
  }

  destroy(): void {
    this.plot.destroy();
  }

  /** Position of the plotting area on the page. */
  get area(): DOMRect {
    return this.plot.over.getBoundingClientRect();
  }

  get projection(): Projection {
    const { clientWidth: width, clientHeight: height } = this.plot.over;
    const { x, y } = this.distribution();
    const [left, right] = this.rangeX;
    const [bottom, top] = this.rangeY;
    const toX = scale(left, right, x === LOGARITHMIC);
    const toY = scale(bottom, top, y === LOGARITHMIC);
    return {
      x: (value) => toX(value) * width,
      y: (value) => (1 - toY(value)) * height,
      visible: this.rangeX,
      logY: y === LOGARITHMIC,
    };
  }

  /** Visible part of the x axis. */
  get visible(): Range {
    return this.rangeX;
  }

  private measure(): void {
    this.rangeX = extentX(this.lines, this.frame) ?? FALLBACK;
    this.rangeY =
      (this.frame.logY ? extentY(this.lines, this.rangeX, true) : null) ??
      extentY(this.lines, this.rangeX, false) ??
      FALLBACK;
  }

  private distribution(): { x: uPlot.Scale.Distr; y: uPlot.Scale.Distr } {
    // Where nothing is above zero there is nothing to see on a logarithmic axis: keep the linear.
    return {
      x: this.frame.logX && this.rangeX[0] > 0 ? LOGARITHMIC : LINEAR,
      y: this.frame.logY && extentY(this.lines, this.rangeX, true) ? LOGARITHMIC : LINEAR,
    };
  }

  private size(): { width: number; height: number } {
    return { width: this.host.clientWidth, height: this.host.clientHeight };
  }

  private create(): uPlot {
    const { x, y } = this.distribution();
    const colour = (name: string) => (): string => this.style.getPropertyValue(name);
    const font = `11px ${this.style.fontFamily}`;
    const plot = new uPlot(
      {
        ...this.size(),
        legend: { show: false },
        padding: [10, 26, 0, 0],
        scales: {
          x: { time: false, distr: x, range: () => [...this.rangeX] },
          y: { distr: y, range: () => [...this.rangeY] },
        },
        axes: [
          {
            font,
            stroke: colour('--dim'),
            grid: { show: false },
            ticks: { show: false },
            gap: 6,
            size: 26,
            filter: (_, at) => at,
            splits: (u) => {
              this.ticks.x = xTicks(this.rangeX, u.width - 80, this.frame.xAxis, x === LOGARITHMIC);
              return [...this.ticks.x.at];
            },
            values: (_, at) => at.map(this.ticks.x.label),
          },
          {
            font,
            stroke: colour('--dim'),
            grid: { stroke: colour('--grid'), width: 1 },
            ticks: { show: false },
            gap: 8,
            size: (_, labels) => Math.max(44, 14 + 6.6 * longest(labels)),
            filter: (_, at) => at,
            splits: (u) => {
              this.ticks.y = yTicks(this.rangeY, u.height - 36, y === LOGARITHMIC);
              return [...this.ticks.y.at];
            },
            values: (_, at) => at.map(this.ticks.y.label),
          },
        ],
        series: [{}, { show: false }],
        cursor: {
          x: false,
          y: false,
          points: { show: false },
          drag: { x: true, y: false, setScale: false },
          bind: { dblclick: () => () => { this.events.reset(); return null; } },
        },
        hooks: {
          draw: [(u) => { this.paint(u); }],
          setCursor: [(u) => { this.pointed(u); }],
          setSelect: [(u) => { this.selected(u); }],
        },
      },
      [[...this.rangeX], [null, null]],
      this.host,
    );
    plot.over.append(this.overlay);
    return plot;
  }

  private paint(u: uPlot): void {
    const { ctx, bbox } = u;
    const ratio = devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    // A line or a point at the very edge must not lose half of itself.
    const air = 3 * ratio;
    ctx.rect(bbox.left - air, bbox.top - air, bbox.width + 2 * air, bbox.height + 2 * air);
    ctx.clip();
    ctx.translate(bbox.left, bbox.top);
    ctx.scale(ratio, ratio);
    paintLines(ctx, this.lines, this.projection);
    paintMarks(ctx, this.lines, this.projection, bbox.height / ratio + 1);
    ctx.restore();
  }

  private paintOverlay(): void {
    const { clientWidth: width, clientHeight: height } = this.plot.over;
    const ratio = devicePixelRatio;
    this.overlay.width = width * ratio;
    this.overlay.height = height * ratio;
    const context = this.overlay.getContext('2d');
    if (!context) return;
    context.scale(ratio, ratio);
    const to = this.projection;
    const { x, lit, points } = this.shown;
    if (lit) paintLit(context, lit, to);
    if (x === null || x < this.rangeX[0] || x > this.rangeX[1]) return;
    context.strokeStyle = this.style.getPropertyValue('--dim');
    context.globalAlpha = 0.6;
    context.beginPath();
    const left = Math.round(to.x(x)) + 0.5;
    context.moveTo(left, 0);
    context.lineTo(left, height);
    context.stroke();
    context.globalAlpha = 1;
    context.strokeStyle = this.style.getPropertyValue('--panel');
    context.lineWidth = 1.5;
    for (const { line, index } of points) {
      context.fillStyle = line.colour;
      context.beginPath();
      const radius = line === lit ? LIT_WIDTH + 2 : 3.2;
      context.arc(to.x(line.x[index] ?? NaN), to.y(line.y[index] ?? NaN), radius, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
  }

  private pointed(u: uPlot): void {
    const { left = -1, top = -1 } = u.cursor;
    if (left < 0) this.events.left();
    else this.events.moved(u.posToVal(left, 'x'), top);
  }

  private selected(u: uPlot): void {
    const { left, width } = u.select;
    if (width < 4) return;
    const range: Range = [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')];
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.events.zoomed(range);
  }
}

const NO_TICKS: LabelledTicks = { at: [], label: String };

function longest(labels: readonly string[] | null): number {
  return Math.max(0, ...(labels ?? []).map((label) => label.length));
}

/** From a value to its place between low and high, 0 to 1. */
function scale(low: number, high: number, log: boolean): (value: number) => number {
  if (!log) return (value) => (value - low) / (high - low);
  const base = Math.log(low);
  const span = Math.log(high) - base;
  return (value) => (Math.log(value) - base) / span;
}
