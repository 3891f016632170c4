export const en = {
  kind: 'Kind', all: 'all kinds', option: '{kind} ({n})',
  summary: '{n} finding | {n} findings',
  looking: 'Looking into {n} run … | Looking into {n} runs …',
  bounded: 'Series of {n} more run were not looked into. | Series of {n} more runs were not looked into.', more: 'Look on',
  first: 'The first {most} of {n} are listed: choose a kind, or fewer runs.',
  fine: 'Nothing is wrong with the logs of the chosen runs.', noJobs: 'Choose a run to see what is wrong with its log.',
  baseDir: 'base dir', show: 'Show in the chart', showShort: 'Show', noPlace: 'no point was logged before',
  tags: '{n} tags', range: '{least} to {most}',
  at: 'step {step}', fromTo: 'steps {from} to {to}', byte: 'byte {offset}', lost: '{n} record lost | {n} records lost',
  kinds: {
    nan: 'NaN', infinity: 'infinite', restart: 'restarted', duplicate_steps: 'duplicate steps', gap: 'gap', pause: 'pause', clock_back: 'clock went back',
  },
  words: {
    nan: 'From here on the value is no number; {n} in a row.', infinity: 'Infinite values, {n} in a row.',
    restart: 'Training was taken up again here: {n} point was written anew. | Training was taken up again here: {n} points were written anew.',
    duplicate_steps: '{n} point was followed by another one at the same step; the last one counts. | {n} points were followed by another one at the same step; the last one counts.',
    gap: 'No point for {n} step. | No point for {n} steps.', pause: 'Nothing was logged for {time}.', clock_back: 'The clock went back by {time}.',
  },
};

export const zh: typeof en = {
  kind: '种类', all: '所有种类', option: '{kind}（{n}）',
  summary: '{n} 个问题 | {n} 个问题',
  looking: '正在检查 {n} 个作业… | 正在检查 {n} 个作业…',
  bounded: '另有 {n} 个作业的序列未检查。 | 另有 {n} 个作业的序列未检查。', more: '继续检查',
  first: '仅列出 {n} 个中的前 {most} 个：请选择种类或减少作业。',
  fine: '所选作业的日志没有问题。', noJobs: '选择作业以查看其日志中的问题。',
  baseDir: '根目录', show: '在图表中显示', showShort: '显示', noPlace: '此前没有数据点',
  tags: '{n} 个标签', range: '{least} 至 {most}',
  at: '第 {step} 步', fromTo: '第 {from} 至 {to} 步', byte: '第 {offset} 字节', lost: '丢失 {n} 条记录 | 丢失 {n} 条记录',
  kinds: {
    nan: 'NaN', infinity: '无穷', restart: '重启', duplicate_steps: '重复的步', gap: '步数空缺', pause: '时间空缺', clock_back: '时钟倒退',
  },
  words: {
    nan: '从此处起数值不是数，连续 {n} 个。', infinity: '无穷值，连续 {n} 个。',
    restart: '训练在此重新开始：{n} 个点被重写。',
    duplicate_steps: '{n} 个点之后在同一步上又有记录，以最后一个为准。',
    gap: '有 {n} 步没有数据点。', pause: '有 {time} 没有记录。', clock_back: '时钟倒退了 {time}。',
  },
};
