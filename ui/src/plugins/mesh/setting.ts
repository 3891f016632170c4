import { FRONT, type Light, type Look, type Pose, type Setting, type Spot } from '@/charts/space';

/** TensorBoard's configuration of a mesh: classes of three.js and their options. */
export interface MeshSetting extends Setting {
  readonly look: Look | null;
  readonly from: Spot | null;
}

type Options = Readonly<Record<string, unknown>>;

const LIGHTS = ['AmbientLight', 'DirectionalLight', 'HemisphereLight', 'PointLight'] as const;
const LOOKS = [
  'MeshBasicMaterial',
  'MeshLambertMaterial',
  'MeshNormalMaterial',
  'MeshPhongMaterial',
  'MeshStandardMaterial',
  'PointsMaterial',
] as const;
const COLORS = ['color', 'emissive', 'specular'] as const;
const NUMBERS = [
  'roughness',
  'metalness',
  'opacity',
  'shininess',
  'emissiveIntensity',
  'size',
] as const;
const FLAGS = ['transparent', 'wireframe', 'flatShading', 'sizeAttenuation'] as const;

/** The known parts of a configuration; defaults for the rest. */
export function settingOf(config: unknown): MeshSetting {
  const { camera, lights, material } = recordOf(config);
  const { fov, near, far, position } = recordOf(camera);
  return {
    frame: frameOf(recordOf(camera)),
    fov: within(fov, 1, 170),
    near: within(near, 0, Infinity),
    far: within(far, 0, Infinity),
    from: spot(position),
    lights: Array.isArray(lights) && lights.length > 0 ? lights.flatMap(lightOf) : null,
    look: lookOf(recordOf(material)),
  };
}

/** The view of an orthographic camera, with the defaults of three.js. */
function frameOf({
  cls,
  left = -1,
  right = 1,
  top = 1,
  bottom = -1,
  zoom = 1,
}: Options): Setting['frame'] {
  if (cls !== 'OrthographicCamera') return null;
  const shown = (from: unknown, to: unknown): number =>
    (typeof from === 'number' && typeof to === 'number' ? Math.abs(to - from) : NaN) / Number(zoom);
  const frame = { width: shown(left, right), height: shown(bottom, top) };
  return within(frame.width, 0, Infinity) === null || within(frame.height, 0, Infinity) === null
    ? null
    : frame;
}

function recordOf(value: unknown): Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Options)
    : {};
}

function within(value: unknown, least: number, most: number): number | null {
  return typeof value === 'number' && value > least && value < most ? value : null;
}

function spot(value: unknown): Spot | null {
  if (!Array.isArray(value) || value.length !== 3) return null;
  const [x, y, z] = value.map((one) =>
    typeof one === 'number' && Number.isFinite(one) ? one : NaN,
  ) as [number, number, number];
  return Number.isNaN(x + y + z) ? null : [x, y, z];
}

/** `#rrggbb`, a number, or a color name that browsers know. */
function colorOf(value: unknown): string | number | null {
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= 0 && value <= 0xffffff ? value : null;
  return typeof value === 'string' && /^(#[0-9a-f]{3}|#[0-9a-f]{6})$/i.test(value) ? value : null;
}

function lightOf(value: unknown): readonly Light[] {
  const { cls, color, groundColor, intensity, position } = recordOf(value);
  const kind = LIGHTS.find((one) => one === cls);
  if (!kind) return [];
  return [
    {
      kind,
      color: colorOf(color) ?? '#ffffff',
      ground: colorOf(groundColor) ?? '#8890a0',
      intensity: typeof intensity === 'number' && intensity >= 0 ? intensity : 1,
      position: spot(position),
    },
  ];
}

function lookOf({ cls, ...options }: Options): Look | null {
  const kind = LOOKS.find((one) => one === cls);
  if (!kind) return null;
  const known: Record<string, string | number | boolean> = {};
  for (const name of COLORS) {
    const value = colorOf(options[name]);
    if (value !== null) known[name] = value;
  }
  for (const name of NUMBERS) {
    const value = options[name];
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) known[name] = value;
  }
  for (const name of FLAGS) {
    const value = options[name];
    if (typeof value === 'boolean') known[name] = value;
  }
  return { kind, options: known };
}

/** For a mesh moved to the origin and scaled to radius 1, with the initial camera. */
export function inScene(
  { from, near, far, frame, lights, look, ...rest }: MeshSetting,
  centre: Spot,
  radius: number,
): { readonly setting: MeshSetting; readonly home: Pose } {
  const moved = ([x, y, z]: Spot): Spot => [
    (x - centre[0]) / radius,
    (y - centre[1]) / radius,
    (z - centre[2]) / radius,
  ];
  const scaled = (value: number | null): number | null => (value === null ? null : value / radius);
  const size = look?.options['size'];
  const setting = {
    ...rest,
    from,
    near: scaled(near),
    far: scaled(far),
    frame: frame && { width: frame.width / radius, height: frame.height / radius },
    lights:
      lights?.map((light) => ({ ...light, position: light.position && moved(light.position) })) ??
      null,
    // Point sizes are in the mesh's units, unless in pixels.
    look:
      look && typeof size === 'number' && look.options['sizeAttenuation'] !== false
        ? { ...look, options: { ...look.options, size: size / radius } }
        : look,
  };
  const eye = from ? moved(from) : FRONT.eye;
  // At the origin the camera has no direction.
  return { setting, home: Math.hypot(...eye) > 0.01 ? { eye, at: [0, 0, 0] } : FRONT };
}
