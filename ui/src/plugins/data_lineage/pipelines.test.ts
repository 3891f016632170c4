import { expect, test } from 'vitest';

import type { LineageRow } from '@/api/lineage';

import { pipelinesOf } from './pipelines';

const row = (
  summary_dir: string,
  mark: string,
  dataset_graph?: LineageRow['dataset_graph'],
): LineageRow => ({
  summary_dir,
  added_info: {},
  session_status: null,
  model_lineage: { metric: {}, user_defined: {}, dataset_mark: mark },
  ...(dataset_graph && { dataset_graph }),
});

test('lists the operations on each element in order', () => {
  const operations = [
    { tensor_op_name: 'Resize', size: [32, 32] },
    { tensor_op_name: 'Rescale', shift: 0, rescale: 0.5 },
    null,
  ];
  const [pipeline] = pipelinesOf([row('./a', '1', { op_type: 'Mnist', operations })]);
  expect(pipeline?.branches[0]?.[0]?.parameters).toEqual([
    { name: '1. Resize', text: 'size [32,32]' },
    { name: '2. Rescale', text: 'shift 0, rescale 0.5' },
    { name: '3. ?', text: '' },
  ]);
});

test('names are shown without the quotes of MindSpore’s JSON', () => {
  const graph = {
    op_type: 'Map',
    input_columns: ['"image"', '"label"'],
    output_columns: '"image"',
  };
  const [pipeline] = pipelinesOf([row('./a', '1', graph)]);
  expect(pipeline?.branches[0]?.[0]?.parameters).toEqual([
    { name: 'input columns', text: 'image, label' },
    { name: 'output columns', text: 'image' },
  ]);
});

test('orders operations from data source to training, with a branch for each source', () => {
  const graph = {
    op_type: 'Batch',
    batch_size: 32,
    children: [
      {
        op_type: 'Zip',
        children: [
          { op_type: 'Mnist', dataset_dir: '/m' },
          { op_type: 'Cifar', shard: null },
        ],
      },
    ],
  };
  const [pipeline, ...others] = pipelinesOf([
    row('./b', '1', graph),
    row('./a', '1', graph),
    row('./c', '2'),
    row('./d', '3', {}),
  ]);
  expect(others).toEqual([]);
  expect(pipeline?.trainIds).toEqual(['./a', './b']);
  expect(pipeline?.branches.map((branch) => branch.map(({ type }) => type))).toEqual([
    ['Mnist', 'Zip', 'Batch'],
    ['Cifar', 'Zip', 'Batch'],
  ]);
  expect(pipeline?.branches[0]?.[2]?.parameters).toEqual([{ name: 'batch size', text: '32' }]);
});
