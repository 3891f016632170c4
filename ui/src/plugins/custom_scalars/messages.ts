export const en = {
  chart: 'chart {n}',
  charts: '{n} chart | {n} charts',
  line: 'Line',
  value: 'Value',
  lines: '{n} line | {n} lines',
  summary: '{title}: {n} lines.',
  nothing: 'No series of the selected runs is in this chart.',
  damaged: 'A layout of {run} is damaged: {detail}',
  what: 'chart layouts',
  logY: 'log y',
};

export const zh: typeof en = {
  chart: '图表 {n}',
  charts: '{n} 个图表',
  line: '线',
  value: '值',
  lines: '{n} 条线',
  summary: '{title}：{n} 条线。',
  nothing: '所选作业没有此图表中的序列。',
  damaged: '{run} 的一个布局已损坏：{detail}',
  what: '图表布局',
  logY: '对数 y',
};
