export const en = {
  show: 'How texts are shown',
  shows: { rendered: 'rendered', source: 'source', changes: 'changes' },
  first: 'The first step: there is nothing before it.',
  same: 'No change since step {step}.',
  since: 'lines since step {step}: {added} added, {removed} removed',
  added: 'added',
  removed: 'removed',
  blank: 'The text of this step is empty.',
  gap: '{n} unchanged line | {n} unchanged lines',
  what: 'text',
};

export const zh: typeof en = {
  show: '文本显示方式',
  shows: { rendered: '渲染', source: '源文本', changes: '变化' },
  first: '这是第一步，之前没有内容。',
  same: '自第 {step} 步以来没有变化。',
  since: '自第 {step} 步：增加 {added} 行，删除 {removed} 行',
  added: '增加',
  removed: '删除',
  blank: '此步的文本为空。',
  gap: '{n} 行未变',
  what: '文本',
};
