export const en = {
  job: 'Run', tag: 'Graph', optimized: '{tag}, optimized',
  search: 'Find a node', found: '{n} node | {n} nodes', noneFound: 'No node is called that.',
  colour: 'Colour', byType: 'by type', byDevice: 'by device', byTime: 'by time', plain: 'plain',
  fit: 'Fit', in: 'Zoom in', out: 'Zoom out', fold: 'Fold all', save: 'SVG',
  picture: 'Graph of {job}: {n} nodes are shown, {edges} connections. Scopes open with a double click or Enter.',
  minimap: 'Where the view is in the graph',
  noJobs: 'Choose a run with a graph.', noData: 'The chosen runs have no graph.',
  choose: 'Choose a node: its attributes, inputs and outputs are told here.',
  type: 'Type', scope: 'Scope of {n} nodes | Scope of {n} nodes', open: 'Open', close: 'Close', dynamic: 'dynamic shape',
  attributes: 'Attributes', inputs: 'Inputs', outputs: 'Outputs', nothing: 'none', hide: 'Close the node',
};

export const zh: typeof en = {
  job: '作业', tag: '计算图', optimized: '{tag}，优化后',
  search: '查找节点', found: '{n} 个节点 | {n} 个节点', noneFound: '没有这样的节点。',
  colour: '着色', byType: '按类型', byDevice: '按设备', byTime: '按耗时', plain: '无',
  fit: '适应窗口', in: '放大', out: '缩小', fold: '全部折叠', save: 'SVG',
  picture: '{job} 的计算图：显示 {n} 个节点，{edges} 条连接。双击或按回车展开作用域。',
  minimap: '视图在图中的位置',
  noJobs: '请选择有计算图的作业。', noData: '所选作业没有计算图。',
  choose: '选择一个节点，这里会显示其属性、输入与输出。',
  type: '类型', scope: '作用域，含 {n} 个节点 | 作用域，含 {n} 个节点', open: '展开', close: '折叠', dynamic: '动态形状',
  attributes: '属性', inputs: '输入', outputs: '输出', nothing: '无', hide: '关闭节点',
};
