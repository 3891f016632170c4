import uPlot from 'uplot';

import type { Theme } from '@/base/job_colors';
import type { Size } from '@/base/shapes';

import { xTicks, yTicks, type LabelledTicks } from './axis_ticks';
import type { BitmapView } from './bitmap_view';
import { isDense } from './density';
import { drawNever, drawSoon } from './frame_queue';
import { tracesOf, type ChartFrame, type Line, type Range, type Trace } from './line';
import { LineLayer } from './line_layer';
import { measured, projectionOf, shifted, type Measure } from './measure';
import { LIT_WIDTH, paintLit, type Projection } from './paint';
import { clearedContext, LABEL_FONT } from './canvas';
import { PAGE_COLORS, type PageColors } from './page_colors';
import type { Overlay, PlotEvents } from './plot_events';

/** Pixels; shorter movements are clicks. */
const LEAST_DRAG = 4;
const LINEAR = 1 as uPlot.Scale.Distr;
const LOGARITHMIC = 3 as uPlot.Scale.Distr;

/** uPlot lays out axes for a new state, then the layer above draws the lines; nothing loops. */
export class LinePlot {
  private plot: uPlot;
  private readonly overlay = document.createElement('canvas');
  private readonly crosshair = document.createElement('div');
  private marked = false;
  private readonly layer = new LineLayer((lines, exact) => this.events.painted(lines, exact));
  private measure: Measure;
  private traces: readonly Trace[];
  private ticks: { x: LabelledTicks; y: LabelledTicks } = { x: NO_TICKS, y: NO_TICKS };
  private shown: Overlay = { x: null, lit: null, points: [] };
  private panning = false;
  private colors: PageColors;

  constructor(
    private readonly host: HTMLElement,
    private readonly events: PlotEvents,
    private lines: readonly Line[],
    private frame: ChartFrame,
    theme: Theme,
  ) {
    this.measure = measured(lines, frame);
    this.colors = PAGE_COLORS[theme];
    this.traces = this.visibleTraces();
    this.overlay.className = 'plot-overlay';
    this.crosshair.className = 'plot-crosshair';
    this.crosshair.hidden = true;
    this.plot = this.create();
  }

  draw(lines: readonly Line[], frame: ChartFrame): void {
    const before = this.measure;
    const changed = lines !== this.lines;
    this.lines = lines;
    if (changed) this.traces = this.visibleTraces();
    this.frame = frame;
    this.measure = measured(lines, frame);
    if (before.logX !== this.measure.logX || before.logY !== this.measure.logY) {
      this.plot.destroy();
      this.plot = this.create();
    } else {
      this.plot.setData([[...this.measure.x], [null, null]]);
    }
  }

  show(overlay: Overlay): void {
    const { lit, points } = this.shown;
    this.shown = overlay;
    this.placeCrosshair();
    // The crosshair moves in all charts, the rest changes in few of them.
    if (overlay.lit !== lit || overlay.points.length > 0 || points.length > 0)
      drawSoon(this.overlay, () => this.paintOverlay());
  }

  resize(): void {
    const { width, height } = this.size();
    if (width === this.plot.width && height === this.plot.height) return;
    this.plot.setSize({ width, height });
  }

  repaint(theme: Theme): void {
    this.colors = PAGE_COLORS[theme];
    this.traces = this.visibleTraces();
    this.plot.redraw(false, true);
  }

  destroy(): void {
    drawNever(this.overlay);
    this.layer.destroy();
    this.plot.destroy();
  }

  get area(): DOMRect {
    return this.plot.over.getBoundingClientRect();
  }

  get projection(): Projection {
    const { width, height } = this.plotSize();
    return projectionOf(this.measure, width, height);
  }

  get visible(): Range {
    return this.measure.x;
  }

  private visibleTraces(): readonly Trace[] {
    const traces = tracesOf(this.lines);
    // A density has one color.
    return isDense(this.lines)
      ? traces.map((trace) => ({ ...trace, color: this.colors.accent }))
      : traces;
  }

  private size(): Size {
    return { width: this.host.clientWidth, height: this.host.clientHeight };
  }

  /** From uPlot, because asking the page would cause a layout. */
  private plotSize(): Size {
    const { width, height } = this.plot.bbox;
    return { width: width / devicePixelRatio, height: height / devicePixelRatio };
  }

  private create(): uPlot {
    const x = this.measure.logX ? LOGARITHMIC : LINEAR;
    const y = this.measure.logY ? LOGARITHMIC : LINEAR;
    const axis: uPlot.Axis = {
      font: LABEL_FONT,
      // uPlot hides an axis if none of its increments fits, as above 1e17. The ticks are ours.
      incrs: [Number.MAX_VALUE],
      stroke: () => this.colors.dim,
      ticks: { show: false },
      filter: (_, at) => at,
    };
    const plot = new uPlot(
      {
        ...this.size(),
        legend: { show: false },
        padding: [10, 26, 0, 0],
        scales: {
          x: { time: false, distr: x, range: () => [...this.measure.x] },
          y: { distr: y, range: () => [...this.measure.y] },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            gap: 6,
            size: 26,
            splits: (u) => {
              const { x: range, logX } = this.measure;
              this.ticks.x = xTicks(range, u.width - 80, this.frame.xAxis, logX);
              return [...this.ticks.x.at];
            },
            values: (_, at) => at.map(this.ticks.x.label),
          },
          {
            ...axis,
            grid: { stroke: () => this.colors.grid, width: 1 },
            gap: 8,
            size: (_, labels) => Math.max(44, 14 + 6.6 * longest(labels)),
            splits: (u) => {
              this.ticks.y = yTicks(this.measure.y, u.height - 36, y === LOGARITHMIC);
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
          bind: {
            dblclick: () => () => {
              this.events.reset();
              return null;
            },
            mousedown: (_, __, usual) => (event) => {
              if (event.altKey || event.button === 1) this.pan(event);
              else usual(event);
              return null;
            },
          },
        },
        hooks: {
          draw: [() => this.laidOut()],
          setCursor: [(u) => this.pointed(u)],
          setSelect: [(u) => this.selected(u)],
        },
      },
      [[...this.measure.x], [null, null]],
      this.host,
    );
    plot.over.before(this.layer.canvas);
    plot.over.append(this.overlay, this.crosshair);
    let start = NaN;
    plot.over.addEventListener('mousedown', ({ clientX }) => (start = clientX));
    plot.over.addEventListener('click', ({ clientX }) => {
      if (Math.abs(clientX - start) < LEAST_DRAG) this.events.clicked();
    });
    return plot;
  }

  /** uPlot has drawn its axes, so the size of the plotting area is known. */
  private laidOut(): void {
    const { left, top } = this.plot.bbox;
    const view: BitmapView = {
      measure: this.measure,
      ...this.plotSize(),
      left: left % 1,
      top: top % 1,
      ratio: devicePixelRatio,
    };
    this.layer.show({
      lines: this.lines,
      traces: this.traces,
      view,
      levels: this.frame.levels ?? [],
      levelColor: this.colors.bad,
      origin: { left, top },
    });
    this.placeCrosshair();
    this.paintOverlay();
  }

  private placeCrosshair(): void {
    const { x } = this.shown;
    const hidden = x === null || x < this.measure.x[0] || x > this.measure.x[1];
    if (this.crosshair.hidden !== hidden) this.crosshair.hidden = hidden;
    if (!hidden)
      this.crosshair.style.transform = `translateX(${Math.round(this.projection.x(x))}px)`;
  }

  private paintOverlay(): void {
    const { lit, points } = this.shown;
    const marked = lit !== null || points.length > 0;
    if (!marked && !this.marked) return;
    this.marked = marked;
    const context = clearedContext(this.overlay, this.plotSize());
    if (!context) return;
    const to = this.projection;
    if (lit) paintLit(context, lit, to, devicePixelRatio);
    context.strokeStyle = this.colors.panel;
    context.lineWidth = 1.5;
    for (const { line, index } of points) {
      context.fillStyle = line.color;
      context.beginPath();
      const radius = line === lit ? LIT_WIDTH + 2 : 3.2;
      context.arc(to.x(line.x[index] ?? NaN), to.y(line.y[index] ?? NaN), radius, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
  }

  private pointed(u: uPlot): void {
    if (this.panning) return;
    const { left = -1, top = -1 } = u.cursor;
    if (left < 0) this.events.left();
    else this.events.moved(u.posToVal(left, 'x'), top);
  }

  private pan(start: MouseEvent): void {
    this.panning = true;
    this.events.left();
    const { x, logX } = this.measure;
    const { width } = this.plotSize();
    const range = (event: MouseEvent): Range =>
      shifted(x, (start.clientX - event.clientX) / width, logX);
    const move = (event: MouseEvent): void => this.events.panned(range(event), false);
    const stop = (event: MouseEvent): void => {
      removeEventListener('mousemove', move);
      removeEventListener('mouseup', stop);
      this.panning = false;
      if (event.clientX !== start.clientX) this.events.panned(range(event), true);
    };
    addEventListener('mousemove', move);
    addEventListener('mouseup', stop);
  }

  private selected(u: uPlot): void {
    const { left, width } = u.select;
    if (width < LEAST_DRAG) return;
    const range: Range = [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')];
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.events.zoomed(range);
  }
}

const NO_TICKS: LabelledTicks = { at: [], label: String };

function longest(labels: readonly string[] | null): number {
  return Math.max(0, ...(labels ?? []).map((label) => label.length));
}
