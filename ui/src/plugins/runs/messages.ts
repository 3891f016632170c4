export const en = {
  search: 'Search runs (regex)',
  name: 'Run', updated: 'Updated', formats: 'Formats', tags: 'Tags', points: 'Points',
  size: 'Size', problems: 'Problems',
  count: '{shown} of {n} runs',
  choose: 'Show in charts',
  noMatch: 'No run matches “{search}”.',
  loading: 'Looking for train jobs …',
  sort: 'Sort by {column}',
  openScalars: 'Show the scalars of {name} alone',
};

export const zh: typeof en = {
  search: '搜索作业（正则）',
  name: '作业', updated: '更新时间', formats: '格式', tags: '标签', points: '数据点',
  size: '大小', problems: '问题',
  count: '{shown} / {n} 个作业',
  choose: '在图表中显示',
  noMatch: '没有作业匹配“{search}”。',
  loading: '正在查找训练作业 …',
  sort: '按{column}排序',
  openScalars: '只看 {name} 的标量',
};
