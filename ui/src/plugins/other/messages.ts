export const en = {
  step: 'step',
  blobs: 'Step {step}:',
  blob: '{n} ({size})',
  blobTitle: 'Download blob {n} of step {step}',
  what: 'other data',
};

export const zh: typeof en = {
  step: '步',
  blobs: '第 {step} 步：',
  blob: '{n}（{size}）',
  blobTitle: '下载第 {step} 步的第 {n} 个数据块',
  what: '其他数据',
};
