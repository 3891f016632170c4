/** `65.25` -> `1:05.2`: minutes, seconds and tenths, if any. */
export function formatClipTime(seconds: number): string {
  if (!(seconds >= 0) || !Number.isFinite(seconds)) return '–';
  const tenths = Math.round(seconds * 10);
  const rest = tenths % 600;
  const whole = String(Math.floor(rest / 10)).padStart(2, '0');
  return `${Math.floor(tenths / 600)}:${whole}${rest % 10 > 0 ? `.${rest % 10}` : ''}`;
}

/** `22050` -> `22.05 kHz`. */
export const formatRate = (hertz: number): string =>
  hertz < 1000 ? `${hertz} Hz` : `${Number((hertz / 1000).toFixed(3))} kHz`;
