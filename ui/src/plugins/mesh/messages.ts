export const en = {
  what: 'meshes',
  show: 'View',
  shows: { faces: 'Faces', wires: 'Edges', points: 'Points' },
  sync: 'Link cameras',
  sample: 'Mesh {i} of {n}',
  summary:
    'Mesh {tag} at step {step}: {points} and {faces}. Arrow keys rotate, + and - zoom, 0 resets the view.',
  without: 'WebGL is unavailable; showing the data as a table.',
  points: '{n} point | {n} points',
  faces: '{n} face | {n} faces',
  dropped: '{n} face refers to missing points | {n} faces refer to missing points',
  placeless:
    '{n} point with non-finite coordinates is not drawn | {n} points with non-finite coordinates are not drawn',
  noPoints: 'This mesh has no finite points.',
  firstRows: 'First {n} points',
  columns: { point: 'Point', color: 'Color' },
};

export const zh: typeof en = {
  what: '网格',
  show: '视图',
  shows: { faces: '面', wires: '边', points: '点' },
  sync: '联动视角',
  sample: '第 {i} 个网格，共 {n} 个',
  summary: '网格 {tag}，第 {step} 步：{points}，{faces}。方向键旋转，+ 和 - 缩放，0 复位。',
  without: 'WebGL 不可用，以表格显示数据。',
  points: '{n} 个点',
  faces: '{n} 个面',
  dropped: '{n} 个面引用了不存在的点',
  placeless: '{n} 个点的坐标不是有限值，未绘制',
  noPoints: '此网格没有可绘制的点。',
  firstRows: '前 {n} 个点',
  columns: { point: '点', color: '颜色' },
};
