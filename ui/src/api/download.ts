export interface Download {
  readonly status: number;
  readonly statusText: string;
  readonly date: string | null;
  readonly bytes: ArrayBuffer;
}

/** Throws a TypeError if the server is unreachable. */
export async function download(url: string): Promise<Download> {
  const response = await fetch(url);
  const { status, statusText, headers } = response;
  return { status, statusText, date: headers.get('date'), bytes: await response.arrayBuffer() };
}
