import type * as Three from 'three';

export interface Body {
  readonly kind: 'faces' | 'wires' | 'points' | 'tube';
  readonly positions: Float32Array;
  /** Three per triangle; null: points only. */
  readonly index: Uint32Array | null;
  /** Red, green and blue of each point, from 0 to 1; null: `color` for all. */
  readonly colors: Float32Array | null;
  readonly color: string;
  readonly opacity?: number;
  /** Of a tube: WebGL lines are one pixel wide. */
  readonly radius?: number;
  readonly look?: Look | null;
}

export interface Look {
  readonly kind:
    | 'MeshBasicMaterial'
    | 'MeshLambertMaterial'
    | 'MeshNormalMaterial'
    | 'MeshPhongMaterial'
    | 'MeshStandardMaterial'
    | 'PointsMaterial';
  readonly options: Readonly<Record<string, string | number | boolean>>;
}

export interface Light {
  readonly kind: 'AmbientLight' | 'DirectionalLight' | 'HemisphereLight' | 'PointLight';
  readonly color: string | number;
  /** The color from below, of a hemisphere light. */
  readonly ground: string | number;
  readonly intensity: number;
  readonly position: Spot | null;
}

/** Light and camera; null: the default. */
export interface Setting {
  readonly fov: number | null;
  readonly near: number | null;
  readonly far: number | null;
  readonly frame: { readonly width: number; readonly height: number } | null;
  readonly lights: readonly Light[] | null;
}

export type Spot = readonly [number, number, number];

export interface Pose {
  readonly eye: Spot;
  readonly at: Spot;
}

export const FRONT: Pose = { eye: [1.3, 1.1, 2], at: [0, 0, 0] };

export function sphereOf(bodies: readonly Body[]): {
  readonly centre: Spot;
  readonly radius: number;
} {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  // If there are faces, the view is centered on them: a path may lead far away.
  const faces = bodies.filter(({ index }) => index !== null && index.length > 0);
  for (const { positions } of faces.length > 0 ? faces : bodies) {
    for (let i = 0; i < positions.length; i++) {
      const value = positions[i] ?? NaN;
      if (!Number.isFinite(value)) continue;
      low[i % 3] = Math.min(low[i % 3] ?? 0, value);
      high[i % 3] = Math.max(high[i % 3] ?? 0, value);
    }
  }
  const middle = (axis: number): number => {
    const value = ((low[axis] ?? 0) + (high[axis] ?? 0)) / 2;
    return Number.isFinite(value) ? value : 0;
  };
  const radius = Math.hypot(...low.map((value, axis) => (high[axis] ?? 0) - value)) / 2;
  return {
    centre: [middle(0), middle(1), middle(2)],
    radius: radius > 0 && Number.isFinite(radius) ? radius : 1,
  };
}

export interface Stage {
  readonly three: typeof Three;
  readonly renderer: Three.WebGLRenderer;
}

let stage: Promise<Stage | null> | null = null;

export function openStage(): Promise<Stage | null> {
  stage ??= open();
  return stage;
}

async function open(): Promise<Stage | null> {
  // three.js would log an error.
  const probe = document.createElement('canvas').getContext('webgl2');
  if (!probe) return null;
  probe.getExtension('WEBGL_lose_context')?.loseContext();
  const three = await import('three');
  const renderer = new three.WebGLRenderer({
    antialias: true,
    alpha: true,
    preserveDrawingBuffer: true,
  });
  return { three, renderer };
}

export function sceneOf(
  { three }: Stage,
  bodies: readonly Body[],
  lights: readonly Light[] | null = null,
): Three.Scene {
  const scene = new three.Scene();
  const group = new three.Group();
  scene.add(group, ...(lights ?? USUAL_LIGHTS).map((light) => lightOf(three, light)));
  const { centre, radius } = sphereOf(bodies);
  group.scale.setScalar(1 / radius);
  group.position.set(...centre).divideScalar(-radius);
  for (const body of bodies) group.add(objectOf(three, body));
  return scene;
}

export const USUAL_LIGHTS: readonly Light[] = [
  {
    kind: 'HemisphereLight',
    color: '#ffffff',
    ground: '#8890a0',
    intensity: 0.76,
    position: null,
  },
  {
    kind: 'DirectionalLight',
    color: '#ffffff',
    ground: '#ffffff',
    intensity: 0.5,
    position: [2, 4, 3],
  },
];

function lightOf(
  three: typeof Three,
  { kind, color, ground, intensity, position }: Light,
): Three.Light {
  // three.js changed its light units in 2023; logs have the old ones.
  const strength = intensity * Math.PI;
  const lights = {
    AmbientLight: () => new three.AmbientLight(color, strength),
    HemisphereLight: () => new three.HemisphereLight(color, ground, strength),
    PointLight: () => new three.PointLight(color, strength, 0, 0),
    DirectionalLight: () => new three.DirectionalLight(color, strength),
  };
  const light: Three.Light = lights[kind]();
  if (position) light.position.set(...position);
  return light;
}

/** More triangles are shaded flat: computing normals would take seconds. */
const MOST_SMOOTH = 300_000;

function objectOf(three: typeof Three, body: Body): Three.Object3D {
  if (body.kind === 'tube') return tubeOf(three, body);
  const { kind, positions, index, colors, opacity = 1, look } = body;
  const geometry = new three.BufferGeometry();
  geometry.setAttribute('position', new three.BufferAttribute(positions, 3));
  if (colors) geometry.setAttribute('color', new three.BufferAttribute(linear(colors), 3));
  if (index && kind !== 'points') geometry.setIndex(new three.BufferAttribute(index, 1));
  const paint = {
    color: colors ? '#ffffff' : body.color,
    vertexColors: colors !== null,
    transparent: opacity < 1,
    opacity,
  };
  if (kind === 'points') {
    const own = look?.kind === 'PointsMaterial' ? look.options : {};
    return new three.Points(
      geometry,
      new three.PointsMaterial({ ...paint, size: 4, sizeAttenuation: 'size' in own, ...own }),
    );
  }
  const smooth = (index?.length ?? 0) / 3 <= MOST_SMOOTH;
  if (smooth) geometry.computeVertexNormals();
  const [name, own] =
    look && look.kind !== 'PointsMaterial'
      ? [look.kind, look.options]
      : ['MeshStandardMaterial' as const, { roughness: 0.8 }];
  const wires = kind === 'wires' ? { wireframe: true } : {};
  const flat = smooth ? {} : { flatShading: true };
  return new three.Mesh(
    geometry,
    new three[name]({ ...paint, side: three.DoubleSide, ...own, ...flat, ...wires }),
  );
}

function tubeOf(three: typeof Three, { positions, color, radius = 0.01 }: Body): Three.Object3D {
  const path = new three.CurvePath<Three.Vector3>();
  let last: Three.Vector3 | null = null;
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const point = new three.Vector3().fromArray(positions, i);
    if (!Number.isFinite(point.x + point.y + point.z) || last?.equals(point)) continue;
    if (last) path.add(new three.LineCurve3(last, point));
    last = point;
  }
  if (path.curves.length === 0) return new three.Group();
  const geometry = new three.TubeGeometry(path, Math.min(2000, 8 * path.curves.length), radius, 8);
  return new three.Mesh(geometry, new three.MeshBasicMaterial({ color: color }));
}

function linear(colors: Float32Array): Float32Array {
  const table = Array.from({ length: 256 }, (_, i) =>
    i < 11 ? i / 255 / 12.92 : ((i / 255 + 0.055) / 1.055) ** 2.4,
  );
  return colors.map((value) => table[Math.round(value * 255)] ?? 0);
}

export function dispose(scene: Three.Scene): void {
  scene.traverse((object) => {
    const { geometry, material } = object as Partial<Three.Mesh>;
    geometry?.dispose();
    for (const one of Array.isArray(material) ? material : [material]) one?.dispose();
  });
}
