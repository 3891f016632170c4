export const en = {
  kind: 'Kind', all: 'all kinds', howBad: 'How bad', allSeverities: 'however bad', unlisted: '{n} more events of runs that have over 1,000 are not listed', option: '{kind} ({n})',
  severities: { severe: 'severe', warning: 'warnings', note: 'notes' }, severity: '{n} {severity}',
  summary: '{n} finding | {n} findings',
  looking: 'Looking into the logs …', progress: '{n} of {of} runs looked into',
  pages: 'Pages', page: '{from} to {to} of {n}', back: 'Previous page', on: 'Next page',
  fine: 'Nothing is wrong with the logs of the chosen runs.', noJobs: 'Choose a run to see what is wrong with its log.',
  noKind: 'The chosen runs have nothing of the kind “{kind}”.', allKinds: 'Show all kinds',
  baseDir: 'base dir', show: 'Show in the chart', showShort: 'Show', noPlace: 'no point was logged before',
  tags: '{n} tags', range: '{least} to {most}', more: 'and {n} more',
  at: 'step {step}', fromTo: 'steps {from} to {to}', byte: 'byte {offset}', from: 'from {place} on',
  alike: 'There is {n} more like it. | There are {n} more like it.', lost: '{n} record lost | {n} records lost',
  kinds: {
    nan: 'NaN', infinity: 'infinite', restart: 'restarted', stray: 'stray values', duplicate_steps: 'duplicate steps', gap: 'gap', pause: 'pause', clock_back: 'clock went back',
  },
  words: {
    nan: 'From here on the value is no number; {n} in a row.', infinity: 'Infinite values, {n} in a row.',
    restart: 'Training was taken up again here: {n} point was written anew. | Training was taken up again here: {n} points were written anew.',
    stray: '{n} value lies behind the end of the series and does not count. | {n} values lie behind the end of the series and do not count.',
    duplicate_steps: '{n} point was followed by another one at the same step; the last one counts. | {n} points were followed by another one at the same step; the last one counts.',
    gap: 'No point for {n} step. | No point for {n} steps.', pause: 'Nothing was logged for {time}.', clock_back: 'The clock went back by {time}.',
  },
};

export const zh: typeof en = {
  kind: '种类', all: '所有种类', howBad: '严重程度', allSeverities: '所有程度', unlisted: '超过 1,000 个事件的作业另有 {n} 个未列出', option: '{kind}（{n}）',
  severities: { severe: '严重', warning: '警告', note: '提示' }, severity: '{n} 个{severity}',
  summary: '{n} 个问题 | {n} 个问题',
  looking: '正在检查日志 …', progress: '已检查 {of} 个作业中的 {n} 个',
  pages: '分页', page: '第 {from} 至 {to} 个，共 {n} 个', back: '上一页', on: '下一页',
  fine: '所选作业的日志没有问题。', noJobs: '选择作业以查看其日志中的问题。',
  noKind: '所选作业没有“{kind}”类问题。', allKinds: '显示所有种类',
  baseDir: '根目录', show: '在图表中显示', showShort: '显示', noPlace: '此前没有数据点',
  tags: '{n} 个标签', range: '{least} 至 {most}', more: '另有 {n} 个',
  at: '第 {step} 步', fromTo: '第 {from} 至 {to} 步', byte: '第 {offset} 字节', from: '自{place}起',
  alike: '同类问题另有 {n} 个。', lost: '丢失 {n} 条记录 | 丢失 {n} 条记录',
  kinds: {
    nan: 'NaN', infinity: '无穷', restart: '重启', stray: '零散值', duplicate_steps: '重复的步', gap: '步数空缺', pause: '时间空缺', clock_back: '时钟倒退',
  },
  words: {
    nan: '从此处起数值不是数，连续 {n} 个。', infinity: '无穷值，连续 {n} 个。',
    restart: '训练在此重新开始：{n} 个点被重写。',
    stray: '{n} 个值落在序列末端之后，不计入曲线。',
    duplicate_steps: '{n} 个点之后在同一步上又有记录，以最后一个为准。',
    gap: '有 {n} 步没有数据点。', pause: '有 {time} 没有记录。', clock_back: '时钟倒退了 {time}。',
  },
};
