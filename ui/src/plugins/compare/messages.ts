export const en = {
  what: 'What is compared',
  parameters: 'Parameters',
  tooFew:
    'Select two runs or more: what they don’t have in common is told here, and what they show stands side by side.',
  same: 'In what their logs tell of them these runs are all alike.',
  name: 'What differs',
  groups: {
    hyper_parameters: 'Hyper-parameters',
    user_defined: 'Their own parameters',
    dataset_graph: 'Dataset',
    metrics: 'Metrics',
    scalars: 'Last values of scalars',
  },
  most: 'The first {n} of the selected runs stand side by side.',
  alike: 'same axes',
  alikeTitle: 'One axis of values and one height for the histograms of a row',
  missing: 'This run has no “{tag}”.',
};

export const zh: typeof en = {
  what: '对比内容',
  parameters: '参数',
  tooFew: '请选择两个或更多作业：这里会列出它们的不同之处，并将其数据并排显示。',
  same: '就日志所记录的内容而言，这些作业完全相同。',
  name: '不同之处',
  groups: {
    hyper_parameters: '超参',
    user_defined: '自定义参数',
    dataset_graph: '数据集',
    metrics: '指标',
    scalars: '标量的最后值',
  },
  most: '并排显示所选作业中的前 {n} 个。',
  alike: '统一坐标',
  alikeTitle: '同一行的直方图使用相同的取值轴和高度',
  missing: '该作业没有“{tag}”。',
};
