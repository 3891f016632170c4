export const en = {
  chart: 'chart {n}',
  charts: '{n} chart | {n} charts',
  line: 'Line',
  value: 'Value',
  lines: '{n} line | {n} lines',
  summary: '{title}: {n} lines.',
  nothing: 'No series of the selected runs is in this chart.',
  damaged: 'A layout of {run} is damaged: {detail}',
  empty:
    'No layout of charts is in the logs of the selected runs. TensorBoard’s custom_scalar layouts are shown here; on the Scalars page charts of several tags can be made at will.',
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
  empty:
    '所选作业的日志中没有图表布局。TensorBoard 的 custom_scalar 布局显示在此处；在标量页可随意组合多个标签的图表。',
  logY: '对数 y',
};
