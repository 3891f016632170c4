export const en = {
  step: 'Step',
  download: 'Download step {step} as .npy',
  columns: {
    dims: 'Shape',
    data_type: 'Type',
    values: 'Values',
    value: 'Value',
    size: 'Count',
    bytes: 'Size',
  },
  blobs: 'Step {step}:',
  blob: '{n} ({size})',
  blobTitle: 'Download file {n} (step {step})',
  what: 'other data',
};

export const zh: typeof en = {
  step: '步数',
  download: '将第 {step} 步下载为 .npy',
  columns: {
    dims: '形状',
    data_type: '类型',
    values: '值',
    value: '值',
    size: '数量',
    bytes: '大小',
  },
  blobs: '第 {step} 步：',
  blob: '{n}（{size}）',
  blobTitle: '下载第 {step} 步的第 {n} 个文件',
  what: '其他数据',
};
