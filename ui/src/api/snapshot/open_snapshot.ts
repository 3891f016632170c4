import { setTransport } from '../transport';

import { ScalarAnswers, type KeptSeries } from './scalar_answers';
import { SnapshotFile, UnreadableSnapshot, unzipped, type SnapshotFacts } from './snapshot_file';
import { snapshotTransport } from './snapshot_transport';

export interface OpenSnapshot {
  readonly facts: SnapshotFacts;
  /** The scalar series that it has. */
  readonly series: () => Promise<readonly KeptSeries[]>;
}

/** Answer all requests from the snapshot of an element: its text in base64, or the file it links. */
export async function openSnapshot(element: HTMLElement): Promise<OpenSnapshot> {
  try {
    const file = await SnapshotFile.of(await bytesOf(element));
    const scalars = new ScalarAnswers(file);
    setTransport(snapshotTransport(file, scalars));
    return { facts: file.facts, series: () => scalars.described() };
  } catch (reason) {
    // Without data, there is no page that could show it.
    document.body.textContent = unreadable(reason);
    throw reason;
  }
}

/** The page's own texts are not loaded yet. */
const TEXTS = {
  en: {
    unreadable: 'Cannot read this snapshot: ',
    damaged: 'its data are damaged.',
    newer: 'a newer version of mindviz saved it.',
  },
  zh: {
    unreadable: '无法读取此快照：',
    damaged: '数据已损坏。',
    newer: '它由更高版本的 mindviz 保存。',
  },
};

function unreadable(reason: unknown): string {
  const texts = TEXTS[navigator.language.startsWith('zh') ? 'zh' : 'en'];
  const why = reason instanceof UnreadableSnapshot ? texts[reason.why] : String(reason);
  return texts.unreadable + why;
}

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
