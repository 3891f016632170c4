import type * as Three from 'three';
import type { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { computed, onBeforeUnmount, onMounted, ref, watch } from 'vue';

import type { Camera } from './camera';
import { dispose, openStage, type Pose, type Setting, type Spot, type Stage } from './space';

interface Wanted {
  readonly canvas: () => HTMLCanvasElement | null;
  /** What is to be seen; disposed of by us. */
  readonly make: (stage: Stage) => Three.Scene;
  /** What it is seen by: read here alone, so that nothing else is rendered anew while it turns. */
  readonly camera: () => Camera;
  /** Where one stands at first, and again when asked to. */
  readonly home: () => Pose;
  /** Whether what is seen lies in a plane: then it is moved, and not turned. */
  readonly flat?: () => boolean;
  /** How it is seen. */
  readonly setting?: () => Setting | null;
  /** After every picture. */
  readonly drawn?: () => void;
}

/** Milliseconds after which a camera that no pointer holds stands still: a wheel and keys turn it bit by bit. */
const STILL = 300;
/** Degrees of the smaller side of a picture that are seen. */
const FIELD = 40;
const degrees = (radians: number): number => (radians * 180) / Math.PI;
const radians = (angle: number): number => (angle * Math.PI) / 180;

/** A camera that the pointer or keys move around a scene, and a canvas that shows what it sees. */
export function useSpace({
  canvas,
  make,
  camera: keeper,
  home,
  flat = () => false,
  setting = () => null,
  drawn = () => undefined,
}: Wanted) {
  const impossible = ref(false);
  let stage: Stage | null = null;
  let scene: Three.Scene | null = null;
  let camera: Three.PerspectiveCamera | null = null;
  /** Sees without perspective what the camera sees; null: nobody has asked for that. */
  let flatLens: Three.OrthographicCamera | null = null;
  let controls: OrbitControls | null = null;
  let gone = false;
  let frame = 0;
  let ours = false;
  let held = false;
  let still: ReturnType<typeof setTimeout> | undefined;
  const here = (): Pose => keeper().pose.value ?? home();
  /** Whether one stands elsewhere than at first. */
  const away = computed(() => keeper().pose.value !== null);
  const observer = new ResizeObserver(() => {
    draw();
  });

  onMounted(async () => {
    const [opened, { OrbitControls: Controls }] = await Promise.all([
      openStage(),
      import('three/examples/jsm/controls/OrbitControls.js'),
    ]);
    const target = canvas();
    if (gone || !target) return;
    if (!opened) {
      impossible.value = true;
      return;
    }
    stage = opened;
    camera = new opened.three.PerspectiveCamera(FIELD, 1, 0.01, 1000);
    controls = new Controls(camera, target);
    controls.addEventListener('change', turned);
    controls.addEventListener('start', () => {
      held = true;
    });
    controls.addEventListener('end', () => {
      held = false;
      waitStill();
    });
    rebuild();
    place();
    observer.observe(target);
  });

  onBeforeUnmount(() => {
    gone = true;
    if (still !== undefined) stand();
    cancelAnimationFrame(frame);
    observer.disconnect();
    controls?.dispose();
    if (scene) dispose(scene);
  });

  watch(
    () => here(),
    () => {
      if (!ours) place();
    },
  );

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
    frame = requestAnimationFrame(() => {
      const target = canvas();
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
      // Even the same size makes it a new picture, which takes longer than to draw it.
      if (domElement.width !== wide || domElement.height !== high)
        stage.renderer.setSize(wide, high, false);
      stage.renderer.render(scene, lens(stage, camera));
      context.clearRect(0, 0, wide, high);
      context.drawImage(domElement, 0, 0);
      target.dataset['drawn'] = 'yes';
      drawn();
    });
  }

  /** What a picture is taken by. The controls know the camera alone: the farther it is, the more is seen without perspective, too. */
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

  /** Where a point of the scene is on the canvas, in CSS pixels; null: behind the camera, or nothing is drawn yet. */
  function seenAt(x: number, y: number, z: number): readonly [number, number] | null {
    const target = canvas();
    if (!stage || !camera || !target) return null;
    const at = new stage.three.Vector3(x, y, z).project(lens(stage, camera));
    return at.z > 1
      ? null
      : [((at.x + 1) / 2) * target.clientWidth, ((1 - at.y) / 2) * target.clientHeight];
  }

  /** The point of clouds nearest to a place on the canvas; -1: none within this many CSS pixels. */
  function pointAt(left: number, top: number, reach: number): number {
    const target = canvas();
    if (!stage || !scene || !camera || !controls || !target) return -1;
    const { Raycaster, Vector2 } = stage.three;
    const caster = new Raycaster();
    caster.setFromCamera(
      new Vector2((left / target.clientWidth) * 2 - 1, 1 - (top / target.clientHeight) * 2),
      camera,
    );
    const perPixel =
      (2 * Math.tan(radians(camera.fov / 2)) * controls.getDistance()) / target.clientHeight;
    caster.params.Points.threshold = reach * perPixel;
    // As near to the ray as they come, seen from here.
    const off = (hit: Three.Intersection): number => (hit.distanceToRay ?? 0) / hit.distance;
    const [first, ...others] = caster.intersectObjects(scene.children);
    return first
      ? (others.reduce((best, hit) => (off(hit) < off(best) - 1e-9 ? hit : best), first).index ??
          -1)
      : -1;
  }

  /** Where the line of sight through a place on the canvas first meets a surface of the scene; null: nowhere. */
  function surfaceAt(left: number, top: number): Spot | null {
    const target = canvas();
    if (!stage || !scene || !camera || !target) return null;
    const { Mesh, Raycaster, Vector2 } = stage.three;
    const caster = new Raycaster();
    caster.setFromCamera(
      new Vector2((left / target.clientWidth) * 2 - 1, 1 - (top / target.clientHeight) * 2),
      lens(stage, camera),
    );
    const surfaces: Three.Object3D[] = [];
    scene.traverse((object) => {
      if (object instanceof Mesh) surfaces.push(object);
    });
    return caster.intersectObjects(surfaces, false)[0]?.point.toArray() ?? null;
  }

  const STEPS: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, 1],
    ArrowDown: [0, -1],
  };
  const ZOOMS: Readonly<Record<string, number>> = { '+': 0.85, '=': 0.85, '-': 1.18 };

  function keyed(event: KeyboardEvent): void {
    const [step, zoom] = [STEPS[event.key], ZOOMS[event.key]];
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      (!step && zoom === undefined && event.key !== '0')
    )
      return;
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

  return { impossible, away, rebuild, draw, seenAt, pointAt, surfaceAt, keyed, reset };
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)));
}
