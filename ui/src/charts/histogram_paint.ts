import { formatTick } from '@/base/format';
import type { Area } from '@/base/shapes';

import { paintLabels, type Label } from './canvas';
import {
  heatMapOf,
  heatPlaces,
  heightAt,
  ridgesOf,
  type HistogramScene,
  type Ridge,
} from './histogram_scene';
import type { PageColors } from './page_colors';
import { linearTicks, type Ticks } from './ticks';

export interface HistogramColors extends PageColors {
  readonly series: string;
}

const AXIS = 20;
const MOST_VALUES = 6;
/** Pixels right of the plot: at least, per character, before the label. */
const LABELS = { least: 48, character: 6.6, gap: 6 };

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

function sideLabels({ mode, layers, range, xLabel }: HistogramScene): string[] {
  if (mode === 'ridges')
    return [layers[0], layers.at(-1)].flatMap((layer) => (layer ? [xLabel(layer.x)] : []));
  if (mode === 'overlay') return [];
  const { at, increment } = linearTicks(range, MOST_VALUES);
  return at.map((tick) => formatTick(tick, increment));
}

export function paintHistograms(
  context: CanvasRenderingContext2D,
  scene: HistogramScene,
  area: Area,
  colors: HistogramColors,
): void {
  if (scene.mode === 'heat') {
    paintHeat(context, scene, area, colors);
    paintLabels(
      context,
      [...heatValueLabels(scene, area), ...heatStepLabels(scene, area)],
      colors.dim,
    );
  } else {
    paintRidges(context, scene, area, colors);
    const bottom = area.top + area.height + 0.5;
    line(context, [area.left, bottom], [area.left + area.width, bottom], colors.fieldLine);
    const depth = scene.mode === 'ridges' ? depthLabels(scene, area) : [];
    paintLabels(context, [...valueLabels(scene, area), ...depth], colors.dim);
  }
}

function paintRidges(
  context: CanvasRenderingContext2D,
  scene: HistogramScene,
  area: Area,
  colors: HistogramColors,
): void {
  const { ridges, tallest, height } = ridgesOf(scene, area);
  const paint = (ridge: Ridge, age: number): void => {
    const lit = ridge.index === scene.lit;
    trace(context, ridge, tallest, height, area);
    if (scene.mode === 'ridges') {
      // Opaque first: outlines in front hide those behind.
      context.globalAlpha = 0.9;
      context.fillStyle = colors.panel;
      context.fill();
      context.globalAlpha = 0.12 + 0.38 * age;
      context.fillStyle = colors.series;
      context.fill();
    }
    context.globalAlpha = lit ? 1 : 0.25 + 0.6 * age;
    context.strokeStyle = lit ? colors.ink : colors.series;
    context.lineWidth = lit ? 1.8 : 1;
    context.stroke();
    context.globalAlpha = 1;
  };
  const last = ridges.length - 1;
  ridges.forEach((ridge, i) => paint(ridge, last > 0 ? i / last : 1));
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
  const bins = ridge.shares.length;
  for (let bin = 0; bin < bins; bin++) {
    context.lineTo(
      area.left + ((bin + 0.5) / bins) * area.width,
      heightAt(ridge, tallest, height, (bin + 0.5) / bins),
    );
  }
  context.lineTo(area.left + area.width, ridge.base);
}

function paintHeat(
  context: CanvasRenderingContext2D,
  scene: HistogramScene,
  area: Area,
  colors: HistogramColors,
): void {
  const { columns, largest } = heatMapOf(scene, area.width);
  context.fillStyle = colors.series;
  for (const { from, to, shares } of columns) {
    // Whole pixels: overlapping cells would be darker.
    const left = Math.round(area.left + from * area.width);
    const width = Math.max(1, Math.round(area.left + to * area.width) - left);
    const edge = (bin: number): number =>
      Math.round(area.top + area.height * (1 - bin / shares.length));
    shares.forEach((share, bin) => {
      if (share === 0) return;
      // The root makes thin tails visible beside the peak.
      context.globalAlpha = 0.06 + 0.94 * Math.sqrt(share / largest);
      context.fillRect(left, edge(bin + 1), width, edge(bin) - edge(bin + 1));
    });
  }
  context.globalAlpha = 1;
  if (scene.lit >= 0 && scene.layers.length > 0) {
    const x = area.left + heatMiddles(scene)(scene.lit) * area.width;
    line(context, [x, area.top], [x, area.top + area.height], colors.ink);
  }
}

function heatMiddles({ layers }: HistogramScene): (index: number) => number {
  const places = heatPlaces(layers);
  return (index) => ((places[index] ?? 0) + (places[index + 1] ?? 1)) / 2;
}

const ticksOf = ({ range }: HistogramScene, length: number, room: number): Ticks =>
  linearTicks(range, Math.max(2, Math.min(MOST_VALUES, Math.floor(length / room))));

const shareOf = ({ range: [low, high] }: HistogramScene, value: number): number =>
  (value - low) / (high - low);

function heatValueLabels(scene: HistogramScene, area: Area): Label[] {
  const { at, increment } = ticksOf(scene, area.height, 34);
  return at.map((tick) => ({
    text: formatTick(tick, increment),
    left: area.left + area.width + LABELS.gap,
    top: area.top + area.height * (1 - shareOf(scene, tick)),
    align: 'left',
  }));
}

function heatStepLabels(scene: HistogramScene, area: Area): Label[] {
  const middle = heatMiddles(scene);
  const last = scene.layers.length - 1;
  let free = 72;
  return scene.layers.flatMap(({ x }, index): Label[] => {
    const isEnd = index === 0 || index === last;
    const left = (isEnd ? Number(index > 0) : middle(index)) * area.width;
    if (!isEnd && (left < free || left > area.width - 96)) return [];
    free = left + 72;
    return [
      {
        text: scene.xLabel(x),
        left: area.left + left,
        top: area.top + area.height + 10,
        align: index === 0 ? 'left' : index === last ? 'right' : 'center',
      },
    ];
  });
}

function valueLabels(scene: HistogramScene, area: Area): Label[] {
  const { at, increment } = ticksOf(scene, area.width, 72);
  return at.map((tick) => {
    const left = area.left + shareOf(scene, tick) * area.width;
    return {
      text: formatTick(tick, increment),
      left,
      top: area.top + area.height + 10,
      align: left < area.left + 14 ? 'left' : 'center',
    };
  });
}

function depthLabels(scene: HistogramScene, area: Area): Label[] {
  let free = Infinity;
  return ridgesOf(scene, area)
    .ridges.toReversed()
    .flatMap(({ index, base }): Label[] => {
      if (free - base < 16) return [];
      free = base;
      return [
        {
          text: scene.xLabel(scene.layers[index]?.x ?? 0),
          left: area.left + area.width + LABELS.gap,
          top: base - 4,
          align: 'left',
        },
      ];
    });
}

function line(
  context: CanvasRenderingContext2D,
  from: readonly [number, number],
  to: readonly [number, number],
  color: string,
): void {
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}
