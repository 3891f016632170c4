import type * as Three from 'three';
import type { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { computed, onBeforeUnmount, onMounted, ref, shallowRef, watch } from 'vue';

import { ARROWS, hasModifier } from '@/base/keys';
import type { Size } from '@/base/shapes';
import { printing, useResize } from '@/paper/printing';

import type { Camera } from './camera';
import { dispose, openStage, type Pose, type Setting, type Spot, type Stage } from './space';

interface Options {
  readonly make: (stage: Stage) => Three.Scene;
  /** A function, so that only `useSpace` depends on the pose while it changes. */
  readonly camera: () => Camera;
  readonly home: () => Pose;
  /** Whether the scene lies in a plane: then it pans instead of turning. */
  readonly flat?: () => boolean;
  readonly setting?: () => Setting | null;
}

export type Space = ReturnType<typeof useSpace>;

interface Seen {
  readonly left: number;
  readonly top: number;
  readonly size: Size;
}

/** Milliseconds until a camera moved by wheel or keys counts as still. */
const STILL = 300;
const FIELD = 40;
const degrees = (radians: number): number => (radians * 180) / Math.PI;
const radians = (angle: number): number => (angle * Math.PI) / 180;

export function useSpace({
  make,
  camera: keeper,
  home,
  flat = () => false,
  setting = () => null,
}: Options) {
  const canvas = shallowRef<HTMLCanvasElement | null>(null);
  const pictures = ref(0);
  const impossible = ref(false);
  let stage: Stage | null = null;
  let scene: Three.Scene | null = null;
  let camera: Three.PerspectiveCamera | null = null;
  let flatLens: Three.OrthographicCamera | null = null;
  let controls: OrbitControls | null = null;
  let gone = false;
  let frame = 0;
  let ours = false;
  let held = false;
  let still: ReturnType<typeof setTimeout> | undefined;
  const here = (): Pose => keeper().pose.value ?? home();
  const away = computed(() => keeper().pose.value !== null);
  useResize(canvas, draw);

  onMounted(async () => {
    const [opened, { OrbitControls: Controls }] = await Promise.all([
      openStage(),
      import('three/examples/jsm/controls/OrbitControls.js'),
    ]);
    const target = canvas.value;
    if (gone || !target) return;
    if (!opened) {
      impossible.value = true;
      return;
    }
    stage = opened;
    camera = new opened.three.PerspectiveCamera(FIELD, 1, 0.01, 1000);
    controls = new Controls(camera, target);
    controls.addEventListener('change', turned);
    controls.addEventListener('start', () => (held = true));
    controls.addEventListener('end', () => {
      held = false;
      waitStill();
    });
    rebuild();
    place();
  });

  onBeforeUnmount(() => {
    gone = true;
    if (still !== undefined) stand();
    cancelAnimationFrame(frame);
    controls?.dispose();
    if (scene) dispose(scene);
  });

  watch(
    () => here(),
    () => {
      if (!ours) place();
    },
  );

  function hold(element: unknown): void {
    canvas.value = element instanceof HTMLCanvasElement ? element : null;
  }

  function rebuild(): void {
    if (!stage) return;
    if (scene) dispose(scene);
    scene = make(stage);
    draw();
  }

  function place(): void {
    if (!camera || !controls || !stage) return;
    const { MOUSE, TOUCH } = stage.three;
    controls.enableRotate = !flat();
    controls.mouseButtons.LEFT = flat() ? MOUSE.PAN : MOUSE.ROTATE;
    controls.touches.ONE = flat() ? TOUCH.PAN : TOUCH.ROTATE;
    camera.position.set(...here().eye);
    controls.target.set(...here().at);
    controls.update();
    draw();
  }

  function turned(): void {
    if (!camera || !controls) return;
    const now: Pose = { eye: camera.position.toArray(), at: controls.target.toArray() };
    ours = true;
    if (distance(now.eye, here().eye) + distance(now.at, here().at) > 1e-6) {
      keeper().pose.value = now;
      waitStill();
    }
    ours = false;
    draw();
  }

  /** Whether pointers turn or move the camera. */
  function steer(on: boolean): void {
    if (controls) controls.enabled = on;
  }

  function waitStill(): void {
    clearTimeout(still);
    still = held ? undefined : setTimeout(stand, STILL);
  }

  function stand(): void {
    clearTimeout(still);
    still = undefined;
    keeper().settle();
  }

  function draw(): void {
    cancelAnimationFrame(frame);
    const paint = (): void => {
      const target = canvas.value;
      const context = target?.getContext('2d');
      if (!stage || !scene || !camera || !target || !context) return;
      const { width, height } = target.getBoundingClientRect();
      const [wide, high] = [
        Math.round(width * devicePixelRatio),
        Math.round(height * devicePixelRatio),
      ];
      if (wide === 0 || high === 0) return;
      if (target.width !== wide || target.height !== high)
        [target.width, target.height] = [wide, high];
      camera.aspect = wide / high;
      const { fov, near, far } = setting() ?? { fov: null, near: null, far: null, frame: null };
      camera.fov =
        fov ??
        (wide < high
          ? 2 * degrees(Math.atan(Math.tan(radians(FIELD / 2)) / camera.aspect))
          : FIELD);
      camera.near = near ?? 0.01;
      camera.far = far ?? 1000;
      camera.updateProjectionMatrix();
      const { domElement } = stage.renderer;
      // Setting the size, even to the same value, takes longer than drawing.
      if (domElement.width !== wide || domElement.height !== high)
        stage.renderer.setSize(wide, high, false);
      stage.renderer.render(scene, lens(stage, camera));
      context.clearRect(0, 0, wide, high);
      context.drawImage(domElement, 0, 0);
      target.dataset['drawn'] = 'yes';
      pictures.value++;
    };
    if (printing.value) paint();
    else frame = requestAnimationFrame(paint);
  }

  /** Controls need a perspective camera; the orthographic one follows it. */
  function lens({ three }: Stage, through: Three.PerspectiveCamera): Three.Camera {
    const { frame = null, near = null, far = null } = setting() ?? {};
    if (!frame) return through;
    flatLens ??= new three.OrthographicCamera();
    const farther = distance(here().eye, here().at) / distance(home().eye, home().at);
    const height = Math.max(frame.height, frame.width / through.aspect) * farther;
    flatLens.top = height / 2;
    flatLens.bottom = -height / 2;
    flatLens.right = (height * through.aspect) / 2;
    flatLens.left = -flatLens.right;
    flatLens.near = near ?? -1000;
    flatLens.far = far ?? 1000;
    flatLens.position.copy(through.position);
    flatLens.quaternion.copy(through.quaternion);
    flatLens.updateProjectionMatrix();
    flatLens.updateMatrixWorld();
    return flatLens;
  }

  function seenAt(x: number, y: number, z: number): Seen | null {
    const target = canvas.value;
    if (pictures.value === 0 || !stage || !camera || !target) return null;
    const at = new stage.three.Vector3(x, y, z).project(lens(stage, camera));
    const size = { width: target.clientWidth, height: target.clientHeight };
    return at.z > 1
      ? null
      : { left: ((at.x + 1) / 2) * size.width, top: ((1 - at.y) / 2) * size.height, size };
  }

  function rayThrough(
    { three }: Stage,
    target: HTMLCanvasElement,
    [left, top]: readonly [number, number],
    through: Three.Camera,
  ): Three.Raycaster {
    const ray = new three.Raycaster();
    const { clientWidth, clientHeight } = target;
    ray.setFromCamera(
      new three.Vector2((left / clientWidth) * 2 - 1, 1 - (top / clientHeight) * 2),
      through,
    );
    return ray;
  }

  function pointAt(place: readonly [number, number], reach: number): number {
    const target = canvas.value;
    if (!stage || !scene || !camera || !controls || !target) return -1;
    const ray = rayThrough(stage, target, place, camera);
    const perPixel =
      (2 * Math.tan(radians(camera.fov / 2)) * controls.getDistance()) / target.clientHeight;
    ray.params.Points.threshold = reach * perPixel;
    const angle = (hit: Three.Intersection): number => (hit.distanceToRay ?? 0) / hit.distance;
    const [first, ...others] = ray.intersectObjects(scene.children);
    const nearest =
      first && others.reduce((best, hit) => (angle(hit) < angle(best) - 1e-9 ? hit : best), first);
    return nearest?.index ?? -1;
  }

  function surfaceAt(place: readonly [number, number]): Spot | null {
    const target = canvas.value;
    if (!stage || !scene || !camera || !target) return null;
    const { Mesh } = stage.three;
    const surfaces: Three.Object3D[] = [];
    scene.traverse((object) => {
      if (object instanceof Mesh) surfaces.push(object);
    });
    const ray = rayThrough(stage, target, place, lens(stage, camera));
    return ray.intersectObjects(surfaces, false)[0]?.point.toArray() ?? null;
  }

  const ZOOMS: Readonly<Record<string, number>> = { '+': 0.85, '=': 0.85, '-': 1.18 };

  function keyed(event: KeyboardEvent): void {
    const [step, zoom] = [ARROWS[event.key], ZOOMS[event.key]];
    if (hasModifier(event) || (!step && zoom === undefined && event.key !== '0')) return;
    event.preventDefault();
    if (event.key === '0') {
      reset();
      return;
    }
    const {
      eye: [ex, ey, ez],
      at: [ax, ay, az],
    } = here();
    const [x, y, z] = [ex - ax, ey - ay, ez - az];
    const far = Math.hypot(x, y, z) * (zoom ?? 1);
    const [right, up] = step ?? [0, 0];
    waitStill();
    if (flat()) {
      const [dx, dy] = [right * far * 0.05, up * far * 0.05];
      keeper().pose.value = { eye: [ax + dx, ay + dy, az + far], at: [ax + dx, ay + dy, az] };
      return;
    }
    const around = Math.atan2(x, z) + right * 0.2;
    const height = Math.min(1.5, Math.max(-1.5, Math.asin(y / Math.hypot(x, y, z)) + up * 0.2));
    keeper().pose.value = {
      eye: [
        ax + far * Math.cos(height) * Math.sin(around),
        ay + far * Math.sin(height),
        az + far * Math.cos(height) * Math.cos(around),
      ],
      at: [ax, ay, az],
    };
  }

  function reset(): void {
    keeper().pose.value = null;
  }

  return {
    steer,
    hold,
    impossible,
    away,
    rebuild,
    seenAt,
    pointAt,
    surfaceAt,
    keyed,
    reset,
  };
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)));
}
