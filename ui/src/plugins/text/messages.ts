export const en = {
  show: 'View',
  shows: { rendered: 'Rendered', source: 'Source', changes: 'Diff' },
  first: 'First step; nothing to compare with.',
  same: 'No changes since step {step}.',
  since:
    '{added} line added, {removed} removed since step {step} | {added} lines added, {removed} removed since step {step}',
  added: 'added',
  removed: 'removed',
  blank: 'This text is empty.',
  gap: '{n} unchanged line | {n} unchanged lines',
  what: 'text',
};

export const zh: typeof en = {
  show: '视图',
  shows: { rendered: '渲染', source: '源文本', changes: '差异' },
  first: '第一步，没有可比较的内容。',
  same: '自第 {step} 步以来没有变化。',
  since: '自第 {step} 步：增加 {added} 行，删除 {removed} 行',
  added: '增加',
  removed: '删除',
  blank: '此步的文本为空。',
  gap: '{n} 行未变',
  what: '文本',
};
