export const en = {
  what: 'meshes',
  show: 'What is drawn',
  shows: { faces: 'faces', wires: 'edges', points: 'points' },
  sync: 'Turn together',
  sample: 'Mesh of the batch',
  summary:
    'Mesh {tag} at step {step}: {points} and {faces}. Arrow keys turn it, + and - zoom, 0 leads back.',
  without: 'This browser has no WebGL, so meshes cannot be drawn. These are their numbers.',
  points: '{n} point | {n} points',
  faces: '{n} face | {n} faces',
  dropped: '{n} face names points that are not there | {n} faces name points that are not there',
  placeless:
    '{n} point has coordinates that are no numbers and is not drawn | {n} points have coordinates that are no numbers and are not drawn',
  noPoints: 'This mesh has no point that could be drawn.',
  firstRows: 'the first {n} points',
  columns: { point: 'Point', color: 'Color' },
};

export const zh: typeof en = {
  what: '网格',
  show: '绘制内容',
  shows: { faces: '面', wires: '边', points: '点' },
  sync: '同步旋转',
  sample: '批次中的网格',
  summary: '网格 {tag}，步骤 {step}：{points}，{faces}。方向键旋转，+ 和 - 缩放，0 复位。',
  without: '此浏览器没有 WebGL，无法绘制网格。以下是其数值。',
  points: '{n} 个点',
  faces: '{n} 个面',
  dropped: '{n} 个面引用了不存在的点',
  placeless: '{n} 个点的坐标不是数，未绘制',
  noPoints: '此网格没有可绘制的点。',
  firstRows: '前 {n} 个点',
  columns: { point: '点', color: '颜色' },
};
