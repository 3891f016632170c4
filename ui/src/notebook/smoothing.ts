import { SMOOTHING_KINDS, type SmoothingKind } from '@/plugins/scalar/view_url';

/** The smoothing of the API's text, such as `ema:0.6`. */
export function readSmoothing(text: string): { kind: SmoothingKind; strength: number } {
  const [word, strength] = text.split(':');
  const kind = SMOOTHING_KINDS.find((one) => one === word) ?? SMOOTHING_KINDS[0];
  return { kind, strength: Number(strength ?? 0) || 0 };
}
