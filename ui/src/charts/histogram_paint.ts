import { formatTick } from '@/base/format';

import {
  BINS,
  heatMapOf,
  heatPlaces,
  heightAt,
  ridgesOf,
  type Area,
  type HistogramScene,
  type Ridge,
} from './histogram_scene';
import { linearTicks } from './ticks';

/** Colours of the page, and of the series. */
export interface HistogramColours {
  readonly series: string;
  readonly panel: string;
  readonly line: string;
  readonly dim: string;
  readonly ink: string;
}

const FONT = '11px system-ui, sans-serif';
const AXIS = 20;
/** Labels of values on a map over time. */
const MOST_VALUES = 6;
/** Pixels for what stands at the right: at least so many, that charts beside each other are alike; of a character; before it. */
const LABELS = { least: 48, character: 6.6, gap: 6 };

/** Where the histograms of a scene are drawn within a canvas of this size. */
export function plotArea(width: number, height: number, scene: HistogramScene): Area {
  const longest = Math.max(0, ...sideLabels(scene).map((label) => label.length));
  const labels = Math.max(LABELS.least, LABELS.gap + longest * LABELS.character);
  return {
    left: 12,
    top: 6,
    width: Math.max(1, width - 12 - labels),
    height: Math.max(1, height - 6 - AXIS),
  };
}

/** Of what stands at the right the longest: of steps, which ascend, one at either end. */
function sideLabels({ mode, layers, range, xLabel }: HistogramScene): string[] {
  if (mode === 'ridges')
    return [layers[0], layers.at(-1)].flatMap((layer) => (layer ? [xLabel(layer.x)] : []));
  if (mode === 'overlay') return [];
  const { at, increment } = linearTicks([...range], MOST_VALUES);
  return at.map((tick) => formatTick(tick, increment));
}

/** Draws a scene on an empty canvas. */
export function paintHistograms(
  context: CanvasRenderingContext2D,
  scene: HistogramScene,
  area: Area,
  colours: HistogramColours,
): void {
  context.font = FONT;
  context.lineWidth = 1;
  if (scene.mode === 'heat') {
    paintHeat(context, scene, area, colours);
    return;
  }
  paintRidges(context, scene, area, colours);
  paintValueAxis(context, scene, area, colours);
  if (scene.mode === 'ridges') paintDepthAxis(context, scene, area, colours);
}

function paintRidges(
  context: CanvasRenderingContext2D,
  scene: HistogramScene,
  area: Area,
  colours: HistogramColours,
): void {
  const { ridges, tallest, height } = ridgesOf(scene, area);
  const paint = (ridge: Ridge, age: number): void => {
    const lit = ridge.index === scene.lit;
    trace(context, ridge, tallest, height, area);
    if (scene.mode === 'ridges') {
      // Opaque first: what is in front hides what is behind.
      context.globalAlpha = 0.9;
      context.fillStyle = colours.panel;
      context.fill();
      context.globalAlpha = 0.12 + 0.38 * age;
      context.fillStyle = colours.series;
      context.fill();
    }
    context.globalAlpha = lit ? 1 : 0.25 + 0.6 * age;
    context.strokeStyle = lit ? colours.ink : colours.series;
    context.lineWidth = lit ? 1.8 : 1;
    context.stroke();
    context.globalAlpha = 1;
  };
  const last = ridges.length - 1;
  ridges.forEach((ridge, i) => {
    paint(ridge, last > 0 ? i / last : 1);
  });
  // Among outlines over each other the one looked at is on top.
  const lit = ridges.find(({ index }) => index === scene.lit);
  if (lit && scene.mode === 'overlay') paint(lit, 1);
}

function trace(
  context: CanvasRenderingContext2D,
  ridge: Ridge,
  tallest: number,
  height: number,
  area: Area,
): void {
  context.beginPath();
  context.moveTo(area.left, ridge.base);
  for (let bin = 0; bin < BINS; bin++) {
    context.lineTo(
      area.left + ((bin + 0.5) / BINS) * area.width,
      heightAt(ridge, tallest, height, (bin + 0.5) / BINS),
    );
  }
  context.lineTo(area.left + area.width, ridge.base);
}

function paintHeat(
  context: CanvasRenderingContext2D,
  scene: HistogramScene,
  area: Area,
  colours: HistogramColours,
): void {
  const { columns, largest } = heatMapOf(scene, area.width);
  context.fillStyle = colours.series;
  for (const { from, to, shares } of columns) {
    // Whole pixels: shades that overlapped would be darker there.
    const left = Math.round(area.left + from * area.width);
    const width = Math.max(1, Math.round(area.left + to * area.width) - left);
    const edge = (bin: number): number =>
      Math.round(area.top + area.height * (1 - bin / shares.length));
    shares.forEach((share, bin) => {
      if (share === 0) return;
      // The root, so that the thin tails are seen beside the peak.
      context.globalAlpha = 0.06 + 0.94 * Math.sqrt(share / largest);
      context.fillRect(left, edge(bin + 1), width, edge(bin) - edge(bin + 1));
    });
  }
  context.globalAlpha = 1;
  const places = heatPlaces(scene.layers);
  const middle = (index: number): number => ((places[index] ?? 0) + (places[index + 1] ?? 1)) / 2;
  if (scene.lit >= 0 && scene.layers.length > 0) {
    const x = area.left + middle(scene.lit) * area.width;
    line(context, x, area.top, x, area.top + area.height, colours.ink);
  }
  context.fillStyle = colours.dim;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const { at, increment } = linearTicks(
    [...scene.range],
    Math.max(2, Math.min(MOST_VALUES, Math.floor(area.height / 34))),
  );
  for (const tick of at) {
    const part = (tick - scene.range[0]) / (scene.range[1] - scene.range[0]);
    context.fillText(
      formatTick(tick, increment),
      area.left + area.width + LABELS.gap,
      area.top + area.height * (1 - part),
    );
  }
  context.textBaseline = 'alphabetic';
  const last = scene.layers.length - 1;
  // Both ends have their labels for certain, others where there is room.
  let free = 72;
  for (let index = 0; index <= last; index++) {
    const part = index === 0 ? 0 : index === last ? 1 : middle(index);
    const left = part * area.width;
    if (index > 0 && index < last && (left < free || left > area.width - 96)) continue;
    context.textAlign = index === 0 ? 'left' : index === last ? 'right' : 'center';
    context.fillText(
      scene.xLabel(scene.layers[index]?.x ?? 0),
      area.left + left,
      area.top + area.height + 14,
    );
    free = left + 72;
  }
}

function paintValueAxis(
  context: CanvasRenderingContext2D,
  scene: HistogramScene,
  area: Area,
  colours: HistogramColours,
): void {
  const bottom = area.top + area.height;
  line(context, area.left, bottom + 0.5, area.left + area.width, bottom + 0.5, colours.line);
  context.fillStyle = colours.dim;
  const { at, increment } = linearTicks(
    [...scene.range],
    Math.max(2, Math.min(6, Math.floor(area.width / 72))),
  );
  for (const tick of at) {
    const x =
      area.left + ((tick - scene.range[0]) / (scene.range[1] - scene.range[0])) * area.width;
    context.textAlign = x < area.left + 14 ? 'left' : 'center';
    context.fillText(formatTick(tick, increment), x, bottom + 14);
  }
}

function paintDepthAxis(
  context: CanvasRenderingContext2D,
  scene: HistogramScene,
  area: Area,
  colours: HistogramColours,
): void {
  const { ridges } = ridgesOf(scene, area);
  context.fillStyle = colours.dim;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  let free = Infinity;
  // From the front: the newest has its label for certain.
  for (const ridge of ridges.toReversed()) {
    if (free - ridge.base < 16) continue;
    context.fillText(
      scene.xLabel(scene.layers[ridge.index]?.x ?? 0),
      area.left + area.width + LABELS.gap,
      ridge.base - 4,
    );
    free = ridge.base;
  }
  context.textBaseline = 'alphabetic';
}

function line(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  toX: number,
  toY: number,
  colour: string,
): void {
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(toX, toY);
  context.stroke();
}
