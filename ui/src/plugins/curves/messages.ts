export const en = {
  show: 'What is shown',
  shows: { curve: 'at a step', time: 'over time' },
  kind: { pr_curve: 'precision–recall', roc_curve: 'ROC' },
  recall: 'recall',
  precision: 'precision',
  falseRate: 'false positive rate',
  trueRate: 'true positive rate',
  area: { pr_curve: 'average precision', roc_curve: 'area under the curve' },
  chance: 'chance',
  summary: '{kind} of {tag}: {n} runs.',
  point:
    'threshold {threshold}: {tp} true and {fp} false positives, {tn} true and {fn} false negatives',
  at: 'step {step}',
  noPoints: 'No point of this curve has a place: its values are no numbers.',
  what: 'PR or ROC curves',
};

export const zh: typeof en = {
  show: '显示内容',
  shows: { curve: '某一步', time: '随时间' },
  kind: { pr_curve: '精确率–召回率', roc_curve: 'ROC' },
  recall: '召回率',
  precision: '精确率',
  falseRate: '假阳性率',
  trueRate: '真阳性率',
  area: { pr_curve: '平均精确率', roc_curve: '曲线下面积' },
  chance: '随机水平',
  summary: '{tag} 的{kind}曲线：{n} 个作业。',
  point: '阈值 {threshold}：真阳性 {tp}，假阳性 {fp}，真阴性 {tn}，假阴性 {fn}',
  at: '第 {step} 步',
  noPoints: '此曲线的值都不是数，没有可绘制的点。',
  what: ' PR 或 ROC 曲线',
};
