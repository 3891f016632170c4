import type { snapshot as en } from './en';

export const snapshot: typeof en = {
  badge: '快照',
  of: '{source} 的快照，{date}',
  runs: '{kept} / {all} 个作业',
  series: '{kept} / {all} 个标量序列',
  exact: '包含全部数据点',
  reduced: '其中 {n} 个缩减为 {points} 个点',
  leftOut: '未包含：{n} 个其他数据项',
  missing: '此快照不包含该数据。',
  saving: '正在保存快照……',
  empty: '保存快照：没有可保存的作业',
  failed: '未能保存快照：{reason}',
  reasons: {
    tooSmall: '此视图至少需要 {size}。请选择较少的作业。',
    tooLong: '链接过长。请选择较少的作业。',
    noUi: '服务器未安装网页界面。',
    token: '服务器需要令牌。请重新加载页面。',
    unreachable: '无法连接 mindviz 服务器。',
    busy: '服务器繁忙。请稍后重试，或选择较少的作业。',
  },
};
