import { formatValue } from '@/base/format';

/** The sum of the first components, and each: `81.5%`, `PC1 60%, PC2 21.5%`. */
export function explainedTexts(
  shares: readonly number[],
  components: number,
): { readonly share: string; readonly parts: string } {
  const shown = shares.slice(0, components);
  const percent = (share: number): string => `${formatValue(share * 100, 3)}%`;
  const parts = shown.map((share, i) => `PC${i + 1} ${percent(share)}`);
  return { share: percent(shown.reduce((sum, share) => sum + share, 0)), parts: parts.join(', ') };
}
