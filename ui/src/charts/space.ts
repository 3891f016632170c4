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

/** Where one looks from: a direction, and a distance in radii of what is looked at. */
export interface Pose { readonly x: number; readonly y: number; readonly z: number }

export const FRONT: Pose = { x: 1.3, y: 1.1, z: 2 };

/** The middle of bodies, and how far they reach from it. */
export function sphereOf(bodies: readonly Body[]): { readonly centre: readonly [number, number, number]; readonly radius: number } {
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

/** The bodies as three.js has them, and lights. */
export function sceneOf({ three }: Stage, bodies: readonly Body[]): Three.Scene {
  const scene = new three.Scene();
  scene.add(new three.HemisphereLight('#ffffff', '#8890a0', 2.4));
  const sun = new three.DirectionalLight('#ffffff', 1.6);
  sun.position.set(2, 4, 3);
  scene.add(sun);
  for (const body of bodies) {
    const geometry = new three.BufferGeometry();
    geometry.setAttribute('position', new three.BufferAttribute(body.positions, 3));
    if (body.colours) geometry.setAttribute('color', new three.BufferAttribute(body.colours, 3));
    if (body.index && body.kind !== 'points') geometry.setIndex(new three.BufferAttribute(body.index, 1));
    const paint = {
      color: body.colours ? '#ffffff' : body.colour, vertexColors: body.colours !== null,
      transparent: (body.opacity ?? 1) < 1, opacity: body.opacity ?? 1,
    };
    switch (body.kind) {
      case 'points':
        scene.add(new three.Points(geometry, new three.PointsMaterial({ ...paint, size: 4, sizeAttenuation: false })));
        break;
      case 'line':
        scene.add(new three.Line(geometry, new three.LineBasicMaterial(paint)));
        break;
      case 'faces':
      case 'wires':
        geometry.computeVertexNormals();
        scene.add(new three.Mesh(geometry, new three.MeshStandardMaterial({ ...paint, side: three.DoubleSide, roughness: 0.8, wireframe: body.kind === 'wires' })));
        break;
    }
  }
  return scene;
}

/** Frees what the graphics card holds of a scene. */
export function dispose(scene: Three.Scene): void {
  scene.traverse((object) => {
    const { geometry, material } = object as Partial<Three.Mesh>;
    geometry?.dispose();
    for (const one of Array.isArray(material) ? material : [material]) one?.dispose();
  });
}
