/** Pictures in space: numbers in, pixels out. three.js is loaded when the first one is shown. */
import type * as Three from 'three';

/** Something in space. Coordinates are x, y, z of one point after the other. */
export interface Body {
  readonly kind: 'faces' | 'wires' | 'points' | 'line';
  readonly positions: Float32Array;
  /** Three per triangle; none: points alone. */
  readonly index: Uint32Array | null;
  /** Red, green and blue of each point, from 0 to 1; none: `colour` for all. */
  readonly colours: Float32Array | null;
  readonly colour: string;
  /** From 0 to 1. */
  readonly opacity?: number;
}

type Spot = readonly [number, number, number];

/** Where one looks from, and at: what is looked at has a radius of about 1 around 0. */
export interface Pose { readonly eye: Spot; readonly at: Spot }

export const FRONT: Pose = { eye: [1.3, 1.1, 2], at: [0, 0, 0] };

/** The middle of bodies, and how far they reach from it. */
export function sphereOf(bodies: readonly Body[]): { readonly centre: Spot; readonly radius: number } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { positions } of bodies) {
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
  return { centre: [middle(0), middle(1), middle(2)], radius: radius > 0 && Number.isFinite(radius) ? radius : 1 };
}

/** Draws bodies on any canvas: browsers give a page few contexts of WebGL, so all share one. */
export interface Stage {
  readonly three: typeof Three;
  readonly renderer: Three.WebGLRenderer;
}

let stage: Promise<Stage | null> | null = null;

/** Null: this browser has no WebGL. */
export function openStage(): Promise<Stage | null> {
  stage ??= open();
  return stage;
}

async function open(): Promise<Stage | null> {
  // three.js would complain to the console.
  const probe = document.createElement('canvas').getContext('webgl2');
  if (!probe) return null;
  probe.getExtension('WEBGL_lose_context')?.loseContext();
  const three = await import('three');
  const renderer = new three.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
  return { three, renderer };
}

/** The bodies as three.js has them, moved and scaled to a radius of 1, and lights. */
export function sceneOf({ three }: Stage, bodies: readonly Body[]): Three.Scene {
  const scene = new three.Scene();
  const group = new three.Group();
  scene.add(group);
  const { centre: [x, y, z], radius } = sphereOf(bodies);
  group.scale.setScalar(1 / radius);
  group.position.set(-x / radius, -y / radius, -z / radius);
  scene.add(new three.HemisphereLight('#ffffff', '#8890a0', 2.4));
  const sun = new three.DirectionalLight('#ffffff', 1.6);
  sun.position.set(2, 4, 3);
  scene.add(sun);
  for (const body of bodies) {
    const geometry = new three.BufferGeometry();
    geometry.setAttribute('position', new three.BufferAttribute(body.positions, 3));
    if (body.colours) geometry.setAttribute('color', new three.BufferAttribute(linear(body.colours), 3));
    if (body.index && body.kind !== 'points') geometry.setIndex(new three.BufferAttribute(body.index, 1));
    const paint = {
      color: body.colours ? '#ffffff' : body.colour, vertexColors: body.colours !== null,
      transparent: (body.opacity ?? 1) < 1, opacity: body.opacity ?? 1,
    };
    switch (body.kind) {
      case 'points':
        group.add(new three.Points(geometry, new three.PointsMaterial({ ...paint, size: 4, sizeAttenuation: false })));
        break;
      case 'line':
        group.add(new three.Line(geometry, new three.LineBasicMaterial(paint)));
        break;
      case 'faces':
      case 'wires':
        geometry.computeVertexNormals();
        group.add(new three.Mesh(geometry, new three.MeshStandardMaterial({ ...paint, side: three.DoubleSide, roughness: 0.8, wireframe: body.kind === 'wires' })));
        break;
    }
  }
  return scene;
}

/** What three.js mixes lights by, of colours as screens show them. */
function linear(colours: Float32Array): Float32Array {
  const table = Array.from({ length: 256 }, (_, i) => (i < 11 ? i / 255 / 12.92 : ((i / 255 + 0.055) / 1.055) ** 2.4));
  return colours.map((value) => table[Math.round(value * 255)] ?? 0);
}

/** Frees what the graphics card holds of a scene. */
export function dispose(scene: Three.Scene): void {
  scene.traverse((object) => {
    const { geometry, material } = object as Partial<Three.Mesh>;
    geometry?.dispose();
    for (const one of Array.isArray(material) ? material : [material]) one?.dispose();
  });
}
