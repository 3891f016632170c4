export const en = {
  what: 'Compare',
  parameters: 'Parameters',
  differences: 'Parameters and metrics that differ',
  tooFew: 'Select at least two runs to compare their config, metrics and media.',
  same: 'No differences: these runs have the same config.',
  name: 'Parameter',
  groups: {
    hyper_parameters: 'Hyperparameters',
    user_defined: 'Custom parameters',
    dataset_graph: 'Dataset',
    metrics: 'Metrics',
    scalars: 'Scalars (last value)',
  },
  most: 'Showing the first {n} selected runs with data.',
  alike: 'Share axes',
  alikeTitle: 'Use the same axes across each row',
  missing: 'Not logged',
};

export const zh: typeof en = {
  what: '对比内容',
  parameters: '参数',
  differences: '不同的参数和指标',
  tooFew: '请至少选择两个作业，以比较其配置、指标和媒体数据。',
  same: '没有差异：这些作业的配置相同。',
  name: '参数',
  groups: {
    hyper_parameters: '超参',
    user_defined: '自定义参数',
    dataset_graph: '数据集',
    metrics: '指标',
    scalars: '标量（最后值）',
  },
  most: '显示所选作业中有数据的前 {n} 个。',
  alike: '共享坐标轴',
  alikeTitle: '每行使用相同的坐标轴',
  missing: '未记录',
};
