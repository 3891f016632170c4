import type * as Three from 'three';

import type { Pose, Stage } from './space';

export const AROUND: Pose = { eye: [1.45, 1.2, 2.3], at: [0, 0, 0] };
export const ABOVE: Pose = { eye: [0, 0, 2.95], at: [0, 0, 0] };

/** The pictures of all points in one, row by row from the upper left corner. */
export interface SpriteSheet {
  readonly picture: ImageBitmap;
  readonly columns: number;
  readonly width: number;
  readonly height: number;
}

export interface Cloud {
  /** In the unit sphere, three coordinates each; NaN: not drawn. */
  readonly points: Float32Array;
  readonly colors: Uint8Array;
  /** Highlighted points; empty: all are equal. */
  readonly lit: ReadonlySet<number>;
  readonly sprites: SpriteSheet | null;
}

/** The share of points that fit the view: a few far away would make all others tiny. */
const FITTED = 0.99;

/**
 * Centered between the outermost points and scaled so that nearly all are in the unit sphere or,
 * `flat`, square; NaN without coordinates.
 */
export function intoSphere(places: Float32Array, flat = false): Float32Array {
  const axes = flat ? 2 : 3;
  const count = places.length / 3;
  const isPlaced = (i: number): boolean =>
    Number.isFinite(
      (places[3 * i] ?? NaN) + (places[3 * i + 1] ?? NaN) + (flat ? 0 : (places[3 * i + 2] ?? NaN)),
    );
  const placed = Uint32Array.from({ length: count }, (_, i) => i).filter(isPlaced);
  const middle = [0, 1, 2].map((axis) => {
    if (axis >= axes) return 0;
    const values = Float32Array.from(placed, (i) => places[3 * i + axis] ?? 0).sort();
    const outside = Math.floor(((1 - FITTED) / 2) * values.length);
    return ((values[outside] ?? 0) + (values[values.length - 1 - outside] ?? 0)) / 2;
  });
  const moved = new Float32Array(places.length).fill(NaN);
  const distances = Float32Array.from(placed, (i) => {
    let distance = 0;
    for (let axis = 0; axis < 3; axis++) {
      const value = axis < axes ? (places[3 * i + axis] ?? 0) - (middle[axis] ?? 0) : 0;
      moved[3 * i + axis] = value;
      distance = flat ? Math.max(distance, Math.abs(value)) : distance + value * value;
    }
    return flat ? distance : Math.sqrt(distance);
  }).sort();
  const furthest = distances[Math.ceil(FITTED * (distances.length - 1))] ?? 0;
  const scale = furthest > 0 ? 1 / furthest : 1;
  for (let i = 0; i < moved.length; i++) moved[i] = (moved[i] ?? NaN) * scale;
  return moved;
}

export const placedOf = (points: Float32Array): Uint32Array =>
  Uint32Array.from({ length: points.length / 3 }, (_, i) => i).filter(
    (i) => !Number.isNaN(points[3 * i] ?? NaN),
  );

export const splitByLight = (
  placed: Uint32Array,
  lit: ReadonlySet<number>,
): { readonly bright: Uint32Array; readonly faint: Uint32Array } =>
  lit.size === 0
    ? { bright: placed, faint: new Uint32Array() }
    : { bright: placed.filter((i) => lit.has(i)), faint: placed.filter((i) => !lit.has(i)) };

export function sizeOf(count: number, pictures: boolean): number {
  const [most, least] = pictures ? [44, 10] : [10, 2.5];
  return Math.min(most, Math.max(least, (pictures ? 900 : 320) / Math.sqrt(Math.max(1, count))));
}

const VERTEX = `
attribute vec3 tint;
attribute float number;
uniform float size;
uniform float columns;
varying vec3 seen;
varying vec2 place;
void main() {
  vec4 position4 = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * position4;
  gl_PointSize = size / -position4.z;
  seen = tint;
  place = vec2(mod(number, columns), floor(number / columns));
}`;

const DISC = `
uniform float opacity;
varying vec3 seen;
void main() {
  float off = length(gl_PointCoord - 0.5);
  float soft = fwidth(off);
  float cover = 1.0 - smoothstep(0.5 - soft, 0.5, off);
  if (cover < 0.3) discard;
  gl_FragColor = vec4(seen, cover * opacity);
}`;

const PICTURE = `
uniform float opacity;
uniform sampler2D sheet;
uniform vec2 part;
uniform vec2 stretch;
uniform vec2 margin;
varying vec3 seen;
varying vec2 place;
void main() {
  vec2 at = (gl_PointCoord - 0.5) * stretch + 0.5;
  vec2 inside = min(at, 1.0 - at);
  if (min(inside.x, inside.y) < 0.0) discard;
  vec4 shown = texture2D(sheet, (place + clamp(at, margin, 1.0 - margin)) * part);
  vec2 frame = inside / stretch;
  vec3 color = mix(vec3(1.0), shown.rgb, shown.a);
  gl_FragColor = vec4(min(frame.x, frame.y) < 0.06 ? seen : color, opacity);
}`;

const FAINT = 0.12;

/** `distance` is the camera's initial one, `pixels` the device pixels per CSS pixel. */
export function cloudScene(
  { three }: Stage,
  { points, colors, lit, sprites }: Cloud,
  sheet: Three.Texture | null,
  distance: number,
  pixels: number,
): Three.Scene {
  const scene = new three.Scene();
  const count = points.length / 3;
  const placed = placedOf(points);
  // three.js measures all points, also those not drawn.
  const position = new three.BufferAttribute(
    points.map((value) => (Number.isNaN(value) ? 0 : value)),
    3,
  );
  const tint = new three.BufferAttribute(colors, 3, true);
  const number = new three.BufferAttribute(
    Float32Array.from({ length: count }, (_, i) => i),
    1,
  );
  const { bright, faint } = splitByLight(placed, lit);
  for (const [index, opacity] of [
    [bright, 1],
    [faint, FAINT],
  ] as const) {
    if (index.length === 0) continue;
    const geometry = new three.BufferGeometry();
    geometry.setAttribute('position', position);
    geometry.setAttribute('tint', tint);
    geometry.setAttribute('number', number);
    geometry.setIndex(new three.BufferAttribute(index, 1));
    const uniforms: Record<string, { value: unknown }> = {
      size: { value: sizeOf(placed.length, sprites !== null) * distance * pixels },
      columns: { value: sprites?.columns ?? 1 },
      opacity: { value: opacity },
    };
    if (sprites && sheet) {
      const { picture, width, height } = sprites;
      const long = Math.max(width, height);
      uniforms['sheet'] = { value: sheet };
      uniforms['part'] = {
        value: new three.Vector2(width / picture.width, height / picture.height),
      };
      uniforms['stretch'] = { value: new three.Vector2(long / width, long / height) };
      uniforms['margin'] = { value: new three.Vector2(0.5 / width, 0.5 / height) };
    }
    scene.add(
      new three.Points(
        geometry,
        new three.ShaderMaterial({
          uniforms,
          vertexShader: VERTEX,
          fragmentShader: sprites ? PICTURE : DISC,
          transparent: true,
          depthWrite: opacity === 1,
        }),
      ),
    );
  }
  return scene;
}

/** The caller disposes of it: it is large and outlives scenes. */
export function textureOf({ three }: Stage, { picture }: SpriteSheet): Three.Texture {
  const texture = new three.Texture(picture);
  // Mipmaps would mix neighboring pictures.
  texture.generateMipmaps = false;
  texture.minFilter = three.LinearFilter;
  texture.flipY = false;
  texture.needsUpdate = true;
  return texture;
}
