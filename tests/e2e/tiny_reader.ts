/** Reads the `simple_value` scalars of a TensorBoard event file, the expected content of charts. */
import { readFileSync } from 'node:fs';

import type { Point } from './tiny_writer';

export function readLog(path: string): Map<string, Point[]> {
  const bytes = readFileSync(path);
  const series = new Map<string, Point[]>();
  for (let at = 0; at + 12 <= bytes.length;) {
    const length = Number(bytes.readBigUInt64LE(at));
    if (at + 16 + length > bytes.length) break;
    for (const point of pointsOf(bytes.subarray(at + 12, at + 12 + length))) {
      series.set(point.tag, [...(series.get(point.tag) ?? []), point]);
    }
    at += 16 + length;
  }
  return series;
}

function pointsOf(event: Buffer): Point[] {
  const fields = new Map([...fieldsOf(event)].map((field) => [field.number, field.value]));
  const wall_time = (fields.get(1) as Buffer).readDoubleLE();
  const step = Number(BigInt.asIntN(64, (fields.get(2) as bigint | undefined) ?? 0n));
  const values = [...fieldsOf((fields.get(5) as Buffer | undefined) ?? Buffer.alloc(0))];
  return values.flatMap(({ value: summary }) => {
    const value = new Map(
      [...fieldsOf(summary as Buffer)].map((field) => [field.number, field.value]),
    );
    const number = value.get(2);
    if (!(number instanceof Buffer) || number.length !== 4) return [];
    return [{ tag: String(value.get(1) ?? ''), step, value: number.readFloatLE(), wall_time }];
  });
}

function* fieldsOf(message: Buffer): Generator<{ number: number; value: Buffer | bigint }> {
  for (let at = 0; at < message.length;) {
    const varint = (): bigint => {
      let value = 0n;
      for (let shift = 0n; ; shift += 7n) {
        const byte = message[at++] ?? 0;
        value |= BigInt(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
      }
    };
    const key = Number(varint());
    const size = [0, 8, 0, 0, 0, 4][key & 7] ?? 0;
    if ((key & 7) === 0) yield { number: key >> 3, value: varint() };
    else {
      const length = (key & 7) === 2 ? Number(varint()) : size;
      yield { number: key >> 3, value: message.subarray(at, (at += length)) };
    }
  }
}
