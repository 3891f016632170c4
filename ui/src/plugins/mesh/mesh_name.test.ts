import { expect, test } from 'vitest';

import { meshName } from './mesh_name';

test('vertices, faces and colors belong to one mesh', () => {
  expect(['a_VERTEX', 'a_FACE', 'a_COLOR', 'a_FACE_x'].map(meshName)).toEqual([
    'a',
    'a',
    'a',
    'a_FACE_x',
  ]);
});
