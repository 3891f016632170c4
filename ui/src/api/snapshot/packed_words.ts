/**
 * The bytes of 64-bit words that were stored as differences, transposed: first the lowest byte of
 * all of them, then the next. `mindviz/snapshots/packed_words.py` writes them.
 */
export function unpackedWords(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const count = Math.floor(packed.length / 8);
  const bytes = new Uint8Array(8 * count);
  for (let place = 0; place < 8; place++) {
    const start = place * count;
    for (let i = 0, at = place; i < count; i++, at += 8) bytes[at] = packed[start + i] ?? 0;
  }
  addUp(new Uint32Array(bytes.buffer));
  return bytes;
}

/** Running sums of 64-bit words, in 32-bit halves: creating BigInts takes ten times as long. */
function addUp(halves: Uint32Array): void {
  let [low, high] = [0, 0];
  for (let at = 0; at < halves.length; at += 2) {
    const sum = low + (halves[at] ?? 0);
    low = sum >>> 0;
    high = (high + (halves[at + 1] ?? 0) + (sum > 0xffffffff ? 1 : 0)) >>> 0;
    halves[at] = low;
    halves[at + 1] = high;
  }
}
