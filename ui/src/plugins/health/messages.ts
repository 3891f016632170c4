export const en = {
  kind: 'Kind', all: 'all kinds',
  summary: '{n} finding in {runs} runs | {n} findings in {runs} runs',
  looking: 'Looking into {n} series …', bounded: 'Of {n} series the first {most} were looked into: choose fewer runs to see the rest.',
  fine: 'Nothing is wrong with the logs of the chosen runs.', noJobs: 'Choose a run to see what is wrong with its log.',
  run: 'Run', what: 'What', where: 'Where', show: 'Show in the chart',
  at: 'step {step}', byte: 'byte {offset}', lost: '{n} record lost | {n} records lost',
  kinds: { restart: 'restarted', nan: 'NaN', infinite: 'infinite', gap: 'gap in time', clock: 'clock went back', replaced: 'duplicate steps' },
  words: {
    restart: 'The run was started anew from an earlier step; what came behind it was replaced.',
    nan: 'The first NaN; {n} of the points that a chart draws are.', infinite: 'The first infinite value.',
    gap: 'Nothing was logged for {time}.', clock: 'The clock went back by {time}.',
    replaced: '{n} points were logged again at steps that were there already.',
  },
};

export const zh: typeof en = {
  kind: '种类', all: '所有种类',
  summary: '{runs} 个作业中有 {n} 个问题 | {runs} 个作业中有 {n} 个问题',
  looking: '正在检查 {n} 条序列…', bounded: '共 {n} 条序列，仅检查了前 {most} 条；请少选一些作业以查看其余部分。',
  fine: '所选作业的日志没有问题。', noJobs: '选择作业以查看其日志中的问题。',
  run: '作业', what: '问题', where: '位置', show: '在图表中显示',
  at: '第 {step} 步', byte: '第 {offset} 字节', lost: '丢失 {n} 条记录 | 丢失 {n} 条记录',
  kinds: { restart: '重启', nan: 'NaN', infinite: '无穷', gap: '时间空缺', clock: '时钟倒退', replaced: '重复的步' },
  words: {
    restart: '作业从更早的一步重新开始，其后的数据被替换。',
    nan: '首个 NaN；图表所绘的点中共有 {n} 个。', infinite: '首个无穷值。',
    gap: '有 {time} 没有记录。', clock: '时钟倒退了 {time}。',
    replaced: '有 {n} 个点在已有的步上再次记录。',
  },
};
