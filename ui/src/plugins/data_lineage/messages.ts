export const en = {
  toModel: 'View runs',
  moreRuns: '{n} more',
  pipeline: 'Dataset mark {mark}',
  jobs: '{n} run | {n} runs',
  what: 'dataset pipelines',
};

export const zh: typeof en = {
  toModel: '查看作业',
  moreRuns: '另有 {n} 个',
  pipeline: '数据集标记 {mark}',
  jobs: '{n} 个作业',
  what: '数据集管道',
};
