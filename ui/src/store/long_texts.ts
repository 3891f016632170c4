import type { UrlField } from '@/base/url_fields';

import { keep, kept } from './local_storage';

/** Characters of an argument; a longer one is stored in the browser, the URL has its hash. */
const LONGEST = 4_000;
const STORED = '*cards.';

/** A field whose long texts are in the browser's storage, where undo finds them. */
export function storedField<Value>(field: UrlField<Value>): UrlField<Value> {
  return {
    usual: field.usual,
    write: (value) => {
      const text = field.write(value);
      if (text.length <= LONGEST) return text;
      const name = STORED + hashOf(text);
      if (kept(name.slice(1)) === null) keep(name.slice(1), text);
      return name;
    },
    read: (text) => field.read(text.startsWith(STORED) ? wholeText(text) : text),
  };
}

/** An argument as other browsers understand it. */
const wholeText = (text: string): string =>
  text.startsWith(STORED) ? (kept(text.slice(1)) ?? '') : text;

type Query = Readonly<Record<string, string | undefined>>;

/** Arguments without references to this browser's storage. */
export const wholeQuery = <Arguments extends Query>(query: Arguments): Arguments =>
  Object.fromEntries(
    Object.entries(query).map(([name, text]) => [
      name,
      text === undefined ? undefined : wholeText(text),
    ]),
  ) as Arguments;

/** A link without references to this browser's storage. */
export const wholeLink = (link: string): string =>
  link.replace(/(?<==)(?:\*|%2A)cards\.[a-z0-9]+/gi, (name) =>
    encodeURIComponent(wholeText(decodeURIComponent(name))),
  );

function hashOf(text: string): string {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return (hash >>> 0).toString(36);
}
