export const en = {
  chart: 'Chart {n}',
  charts: '{n} chart | {n} charts',
  line: 'Line',
  value: 'Value',
  summary: '{title}: {n} lines.',
  nothing: 'The selected runs have no data for this chart.',
  damaged: 'Couldn’t read a layout in {run}: {detail}',
  what: 'chart layouts',
  logY: 'Log y',
};

export const zh: typeof en = {
  chart: '图表 {n}',
  charts: '{n} 个图表',
  line: '线',
  value: '值',
  summary: '{title}：{n} 条线。',
  nothing: '所选作业没有此图表的数据。',
  damaged: '无法读取 {run} 中的布局：{detail}',
  what: '图表布局',
  logY: '对数 y',
};
