import { describe, expect, it } from 'vitest';

import { inScene, settingOf } from './setting';

describe('settingOf', () => {
  it('reads camera, lights and material from a log', () => {
    expect(
      settingOf({
        camera: { cls: 'PerspectiveCamera', fov: 75, near: 0.1, far: 100, position: [0, 0, 5] },
        lights: [
          { cls: 'AmbientLight', color: '#ff0000', intensity: 0.5 },
          { cls: 'PointLight', color: 255, position: [1, 2, 3] },
        ],
        material: { cls: 'MeshPhongMaterial', color: '#00ff00', shininess: 10, wireframe: true },
      }),
    ).toEqual({
      fov: 75,
      near: 0.1,
      far: 100,
      frame: null,
      from: [0, 0, 5],
      lights: [
        {
          kind: 'AmbientLight',
          color: '#ff0000',
          ground: '#8890a0',
          intensity: 0.5,
          position: null,
        },
        { kind: 'PointLight', color: 255, ground: '#8890a0', intensity: 1, position: [1, 2, 3] },
      ],
      look: {
        kind: 'MeshPhongMaterial',
        options: { color: '#00ff00', shininess: 10, wireframe: true },
      },
    });
  });

  it.each([[null], ['x'], [[]], [{}], [{ camera: 7, lights: {}, material: [] }]])(
    'leaves all as always of %j',
    (config) => {
      expect(settingOf(config)).toEqual({
        fov: null,
        near: null,
        far: null,
        frame: null,
        from: null,
        lights: null,
        look: null,
      });
    },
  );

  it('ignores unknown and invalid fields', () => {
    const setting = settingOf({
      camera: { fov: 'wide', near: -1, far: NaN, position: [0, 'x', 1] },
      lights: [{ cls: 'Script' }, { cls: 'HemisphereLight', intensity: -3, color: 'url(x)' }],
      material: {
        cls: 'MeshStandardMaterial',
        map: 'http://example.org/x.png',
        onBeforeCompile: 'x',
        color: 'url(x)',
        roughness: '1',
        opacity: 0.5,
      },
    });
    expect(setting).toMatchObject({ fov: null, near: null, far: null, from: null });
    expect(setting.lights).toEqual([
      {
        kind: 'HemisphereLight',
        color: '#ffffff',
        ground: '#8890a0',
        intensity: 1,
        position: null,
      },
    ]);
    expect(setting.look).toEqual({ kind: 'MeshStandardMaterial', options: { opacity: 0.5 } });
    expect(settingOf({ material: { cls: 'RawShaderMaterial' } }).look).toBeNull();
  });
});

describe('inScene', () => {
  it('converts an orthographic camera to the frustum that three.js expects', () => {
    const frameOf = (camera: object) =>
      inScene(settingOf({ camera: { cls: 'OrthographicCamera', ...camera } }), [0, 0, 0], 2).setting
        .frame;
    expect(frameOf({ left: -3, right: 5, top: 2, bottom: -2, zoom: 2 })).toEqual({
      width: 2,
      height: 1,
    });
    expect(frameOf({})).toEqual({ width: 1, height: 1 });
    for (const odd of [
      { left: 1, right: 1 },
      { top: 'x' },
      { zoom: 0 },
      { zoom: 'x' },
      { bottom: null },
    ])
      expect(frameOf(odd)).toBeNull();
  });

  it('moves and scales with the mesh', () => {
    const { setting, home } = inScene(
      settingOf({
        camera: { cls: 'PerspectiveCamera', position: [1, 0, 4], near: 1, far: 50 },
        lights: [{ cls: 'PointLight', position: [3, 0, 0] }, { cls: 'AmbientLight' }],
        material: { cls: 'PointsMaterial', size: 0.5 },
      }),
      [1, 0, 0],
      2,
    );
    expect(home).toEqual({ eye: [0, 0, 2], at: [0, 0, 0] });
    expect(setting).toMatchObject({ near: 0.5, far: 25, look: { options: { size: 0.25 } } });
    expect(setting.lights?.map(({ position }) => position)).toEqual([[1, 0, 0], null]);
  });

  it('keeps sizes in pixels and the default view', () => {
    const { setting, home } = inScene(
      settingOf({ material: { cls: 'PointsMaterial', size: 3, sizeAttenuation: false } }),
      [0, 0, 0],
      2,
    );
    expect(setting.look?.options['size']).toBe(3);
    expect(home).toEqual({ eye: [1.3, 1.1, 2], at: [0, 0, 0] });
  });
});
