export type Widths = Readonly<Record<string, number>>;

export const writeWidths = (widths: Widths): string[] =>
  Object.entries(widths).map(([id, width]) => `${id}:${Math.round(width)}`);

/** Ignores invalid texts. */
export const readWidths = (texts: readonly string[]): Widths =>
  Object.fromEntries(
    texts.flatMap((text) => {
      const [, id, width] = /^(.+):(\d{1,4})$/.exec(text) ?? [];
      return id !== undefined && width !== undefined ? [[id, Number(width)]] : [];
    }),
  );
