import { formatValue } from '@/base/format';

/** `81.5% (PC1 60%, PC2 21.5%)` of the first components. */
export function explainedText(shares: readonly number[], components: number): string {
  const shown = shares.slice(0, components);
  const percent = (share: number): string => `${formatValue(share * 100, 3)}%`;
  const parts = shown.map((share, i) => `PC${i + 1} ${percent(share)}`);
  return `${percent(shown.reduce((sum, share) => sum + share, 0))} (${parts.join(', ')})`;
}
