export const en = {
  job: 'Run',
  tags: '{n} tag | {n} tags',
  open: 'Open {page}',
  facts: 'How it was trained',
  noFacts: 'Its log has no lineage: no hyper-parameters and no metrics.',
  nothing: 'This run has no data yet. It appears here as soon as its log has some.',
  noJob: 'Select a run to see everything it has.',
  updated: 'updated {ago}',
  points: '{n} point | {n} points',
  findings: '{n} finding | {n} findings',
};

export const zh: typeof en = {
  job: '作业',
  tags: '{n} 个标签 | {n} 个标签',
  open: '打开{page}',
  facts: '训练方式',
  noFacts: '日志中没有溯源信息：没有超参，也没有指标。',
  nothing: '该作业尚无数据，日志中一有数据便会显示在这里。',
  noJob: '选择作业，即可查看其全部数据。',
  updated: '{ago}更新',
  points: '{n} 个点 | {n} 个点',
  findings: '{n} 个问题 | {n} 个问题',
};
