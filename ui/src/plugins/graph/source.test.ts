import { describe, expect, it } from 'vitest';

import { datasetLevels } from './dataset';
import { found } from './source';

describe('datasetLevels', () => {
  it('orders datasets from creation to last operation, through the parts of operations', () => {
    const levels = datasetLevels({
      op_type: 'Batch',
      batch_size: 32,
      children: [
        {
          op_type: 'Map',
          operations: [{ tensor_op_name: 'Resize', height: 4 }, { tensor_op_name: 'a/b' }],
          children: [{ op_type: 'Mnist', dir: null }],
        },
      ],
    });
    const root = levels.get('') ?? [];
    expect(root.map(({ name, type, input }) => [name, type, Object.keys(input)])).toEqual([
      ['Batch_1', 'Batch', ['Map_2/a/b_2']],
      ['Map_2', 'name_scope', ['Mnist_3']],
      ['Mnist_3', 'Mnist', []],
    ]);
    expect(root[0]?.attr).toEqual({ batch_size: '32' });
    expect(
      levels.get('Map_2')?.map(({ name, input, attr }) => [name, Object.keys(input), attr]),
    ).toEqual([
      ['Map_2/Resize_1', ['Mnist_3'], { height: '4' }],
      ['Map_2/a/b_2', ['Map_2/Resize_1'], {}],
    ]);
  });
});

describe('found', () => {
  it('lists the matches without the scopes above them', () => {
    const tree = [
      {
        name: 'net',
        type: 'name_scope',
        nodes: [
          {
            name: 'net/conv',
            type: 'name_scope',
            nodes: [{ name: 'net/conv/Conv-op1', type: 'Conv', nodes: [] }],
          },
        ],
      },
    ];
    expect(found(tree, 'CONV').map(({ name }) => name)).toEqual(['net/conv', 'net/conv/Conv-op1']);
    expect(found(tree, 'op1').map(({ name }) => name)).toEqual(['net/conv/Conv-op1']);
  });
});
