import { naturalOrder } from './natural_order';

const HIGHER =
  /^(?:m?acc|accuracy|oacc|bacc|top\d+|auc|auroc|auprc|m?ap|m?iou|f1|dice|precision|recall|kappa|mcc|psnr|ssim|bleu|rouge|reward|return|score|r2)\w?\d*$/;
const LOWER = /^(?:loss(?:es)?|err|error|mae|mse|rmse|nll|ppl|perplexity|wer|cer|fid)\d*$/;
const VALIDATION = /^(?:val|valid|validation|eval|evaluate|evaluation|dev|test|testing)$/;
const TRAINING = /^(?:train|training)$/;
/** `loss_scale` is a setting. */
const SETTING = /^(?:scale|scaler|weight|runtime|time|lr)$/;

export type Direction = 'higher' | 'lower';

const wordsOf = (tag: string): string[] => tag.toLowerCase().split(/[^a-z0-9]+/);

/** Which values of a metric are better, by its name; null: unknown. */
export function betterOf(tag: string): Direction | null {
  const words = wordsOf(tag);
  if (words.some((word) => SETTING.test(word))) return null;
  if (words.some((word) => LOWER.test(word))) return 'lower';
  return words.some((word) => HIGHER.test(word)) ? 'higher' : null;
}

/** The statistic that is the best value. */
export const bestOf = (tag: string): 'min' | 'max' => (betterOf(tag) === 'lower' ? 'min' : 'max');

/** Validation first. */
function splitRank(tag: string): number {
  const words = wordsOf(tag);
  if (words.some((word) => VALIDATION.test(word))) return 0;
  return words.some((word) => TRAINING.test(word)) ? 2 : 1;
}

/** For sorting names: validation before training, accuracy before loss, other metrics last. */
export function metricRank(tag: string): number {
  const better = betterOf(tag);
  if (better === null) return 6;
  return splitRank(tag) * 2 + Number(better === 'lower');
}

const MOST = 4;
/** Five validation accuracies would hide the loss. */
const MOST_OF_RANK = 2;

/** The tags by which runs are usually compared, best first; `counts`: the runs that have each. */
export function usualMetrics(counts: ReadonlyMap<string, number>): string[] {
  const ranked = [...counts.keys()]
    .filter((tag) => betterOf(tag) !== null)
    .sort(
      (a, b) =>
        metricRank(a) - metricRank(b) ||
        (counts.get(b) ?? 0) - (counts.get(a) ?? 0) ||
        naturalOrder(a, b),
    );
  const taken = new Map<number, number>();
  return ranked
    .filter((tag) => {
      const rank = metricRank(tag);
      const before = taken.get(rank) ?? 0;
      taken.set(rank, before + 1);
      return before < MOST_OF_RANK;
    })
    .slice(0, MOST);
}
