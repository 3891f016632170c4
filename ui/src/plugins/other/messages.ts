export const en = {
  step: 'step',
  blobs: 'Step {step}:',
  blob: '{n} ({size})',
  blobTitle: 'Download blob {n} of step {step}',
  empty: 'Every kind of data that the selected runs have is shown on a page of its own.',
};

export const zh: typeof en = {
  step: '步',
  blobs: '第 {step} 步：',
  blob: '{n}（{size}）',
  blobTitle: '下载第 {step} 步的第 {n} 个数据块',
  empty: '所选作业的每种数据都有专门的页面显示。',
};
