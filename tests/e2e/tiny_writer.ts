/** Writes TensorBoard event files without code of mindviz, so that the tests are independent. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Point {
  readonly tag: string;
  readonly step: number;
  readonly value: number;
  readonly wall_time: number;
}

/** `count` points of a tag, a step and a second apart. */
export function points(
  tag: string,
  count: number,
  value: (step: number) => number = (step) => step,
  first = 0,
): Point[] {
  return Array.from({ length: count }, (_, i) => ({
    tag,
    step: first + i,
    value: value(first + i),
    wall_time: 1_700_000_000 + first + i,
  }));
}

/** Writes a file with these points, one event each, and creates its directories. */
export function writeLog(path: string, points: Iterable<Point>): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Buffer.concat([record(versionEvent()), ...[...points].map(scalarRecord)]));
}

/** Appends to a log, as a running training does. */
export function appendLog(path: string, points: Iterable<Point>): void {
  appendFileSync(path, Buffer.concat([...points].map(scalarRecord)));
}

export function scalarRecord({ tag, step, value, wall_time }: Point): Buffer {
  const number = Buffer.alloc(5);
  number.writeUInt8((2 << 3) | 5);
  number.writeFloatLE(value, 1);
  const summaryValue = Buffer.concat([delimited(1, Buffer.from(tag)), number]);
  const stepField = Buffer.concat([Buffer.of(2 << 3), varint(step)]);
  return record(
    Buffer.concat([timeField(wall_time), stepField, delimited(5, delimited(1, summaryValue))]),
  );
}

function versionEvent(): Buffer {
  return Buffer.concat([timeField(0), delimited(3, Buffer.from('brain.Event:2'))]);
}

function timeField(wallTime: number): Buffer {
  const field = Buffer.alloc(9);
  field.writeUInt8((1 << 3) | 1);
  field.writeDoubleLE(wallTime, 1);
  return field;
}

function delimited(field: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of((field << 3) | 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
}

/** A record: length, its masked CRC, payload, its masked CRC. */
function record(payload: Buffer): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(payload.length));
  return Buffer.concat([length, maskedCrc(length), payload, maskedCrc(payload)]);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
  let crc = i;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc >>> 0;
});

function maskedCrc(bytes: Buffer): Buffer {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  crc = (crc ^ 0xffffffff) >>> 0;
  const masked = Buffer.alloc(4);
  masked.writeUInt32LE((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0);
  return masked;
}
