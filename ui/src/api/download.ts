/** What a URL answered, whatever it says. */
export interface Download {
  readonly status: number;
  readonly statusText: string;
  /** The header of this name. */
  readonly date: string | null;
  readonly bytes: ArrayBuffer;
}

/** Throws a TypeError where nobody answers. */
export async function download(url: string): Promise<Download> {
  const response = await fetch(url);
  const { status, statusText, headers } = response;
  return { status, statusText, date: headers.get('date'), bytes: await response.arrayBuffer() };
}
