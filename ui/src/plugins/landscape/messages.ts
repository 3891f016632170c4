export const en = {
  shape: 'Picture', shapes: { contour: 'contour', topographic: 'topographic', surface: '3-D' },
  of: 'Landscape', final: 'around the result', interval: '{unit}s {from} to {to}', path: 'path',
  nobody: 'The chosen runs have no loss landscape.', missing: 'This run has no such landscape.',
  range: 'loss {low} to {high}',
  picture: 'Loss landscape of {job}: loss from {low} to {high}, {n} points of the training’s path.',
  turn: 'Drag, or use the arrow keys, to turn.', convergence: 'result: loss {loss}',
};

export const zh: typeof en = {
  shape: '图形', shapes: { contour: '等高线', topographic: '地形', surface: '三维' },
  of: '地形', final: '结果附近', interval: '{unit} {from} 至 {to}', path: '路径',
  nobody: '所选作业没有损失地形。', missing: '该作业没有此地形。',
  range: '损失 {low} 至 {high}',
  picture: '{job} 的损失地形：损失从 {low} 到 {high}，训练路径共 {n} 个点。',
  turn: '拖动或用方向键旋转。', convergence: '结果：损失 {loss}',
};
