import { expect, test } from 'vitest';

import { messageFor, serverPatterns } from './server_texts';

const server = Object.values(
  import.meta.glob<string>('../../../mindviz/datavisual/**/*.py', {
    eager: true,
    query: '?raw',
    import: 'default',
  }),
).join('\n');

test('a detail of the server becomes a message with its values', () => {
  expect(messageFor('bad_payload', 'From here on, 7 more damaged records were skipped.')).toEqual({
    key: 'further',
    values: { n: '7' },
  });
  expect(
    messageFor(
      'class_mismatch',
      "Tag 'loss' is image data here, but scalar data in an earlier place, which decides.",
    ),
  ).toEqual({ key: 'mismatch', values: { tag: 'loss', here: 'image', there: 'scalar' } });
});

test('findings of a kind with one text have its message, others are shown as sent', () => {
  expect(messageFor('bad_length', 'Any text.')).toEqual({ key: 'bad_length', values: {} });
  expect(messageFor('bad_value', 'The value is not a PNG.')).toBeNull();
});

test('the server still writes these texts', () => {
  // Without the quotes and line breaks between the parts of a Python string.
  const texts = server.replace(/["']\s*\n\s*(?:\+ )?f?["']/g, '');
  for (const pattern of serverPatterns) {
    const parts = pattern.source
      .replace(/\\\.\$$|[\^$]/g, '')
      .split(/\(\?:[^)]*\)|\(\?<\w+>[^)]*\)|\\[().]|\.\*|'/)
      .map((part) => part.trim())
      .filter((part) => part.length > 3);
    for (const part of parts) expect(texts, String(pattern)).toContain(part);
  }
});
