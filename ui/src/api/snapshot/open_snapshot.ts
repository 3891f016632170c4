import { setTransport } from '../transport';

import { SnapshotFile, unzipped, type SnapshotFacts } from './snapshot_file';
import { snapshotTransport } from './snapshot_transport';

/** Answer all requests from the snapshot of an element: its text in base64, or the file it links. */
export async function openSnapshot(element: HTMLElement): Promise<SnapshotFacts> {
  try {
    const file = await SnapshotFile.of(await bytesOf(element));
    setTransport(snapshotTransport(file));
    return file.facts;
  } catch (reason) {
    // Without data, there is no page that could show it.
    const message = reason instanceof Error ? reason.message : String(reason);
    document.body.textContent = unreadable(message);
    throw reason;
  }
}

const unreadable = (message: string): string =>
  navigator.language.startsWith('zh')
    ? `无法读取此快照：${message}`
    : `Cannot read this snapshot: ${message}`;

/** The licenses that an element has as gzip in base64. */
export async function licensesOf(element: HTMLElement): Promise<string> {
  return new TextDecoder().decode(await unzipped(bytesOfText(element.textContent)));
}

async function bytesOf(element: HTMLElement): Promise<Uint8Array<ArrayBuffer>> {
  if (element instanceof HTMLLinkElement) {
    const response = await fetch(element.href);
    if (!response.ok) throw new Error(`${element.href}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
  const bytes = bytesOfText(element.textContent);
  // Frees the memory of the text.
  element.textContent = '';
  return bytes;
}

function bytesOfText(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
