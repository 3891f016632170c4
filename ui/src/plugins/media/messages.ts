export const en = {
  what: 'media',
  types: 'Types',
  size: 'Size',
};

export const zh: typeof en = {
  what: '媒体',
  types: '类型',
  size: '大小',
};
