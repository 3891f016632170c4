export type Numbers =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

export interface NumpyArray {
  readonly shape: readonly number[];
  readonly data: Numbers;
}

/** Integers beyond 2**53 lose digits. */
const rounded = (values: BigInt64Array | BigUint64Array): Float64Array =>
  Float64Array.from(values, Number);

const READERS: Readonly<Record<string, (buffer: ArrayBuffer) => Numbers>> = {
  '<f4': (buffer) => new Float32Array(buffer),
  '<f8': (buffer) => new Float64Array(buffer),
  '|i1': (buffer) => new Int8Array(buffer),
  '|u1': (buffer) => new Uint8Array(buffer),
  '<i2': (buffer) => new Int16Array(buffer),
  '<u2': (buffer) => new Uint16Array(buffer),
  '<i4': (buffer) => new Int32Array(buffer),
  '<u4': (buffer) => new Uint32Array(buffer),
  '<i8': (buffer) => rounded(new BigInt64Array(buffer)),
  '<u8': (buffer) => rounded(new BigUint64Array(buffer)),
};

/** Read a file of format 1.0 in row-major order. Throws Error for other files. */
export function readNumpy(bytes: Uint8Array): NumpyArray {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 10 || view.getUint32(0) !== 0x934e554d)
    throw new Error('This is no NumPy file.');
  const start = 10 + view.getUint16(8, true);
  const header = new TextDecoder('latin1').decode(bytes.subarray(10, start));
  const kind = /'descr':\s*'([^']+)'/.exec(header)?.[1] ?? '';
  const shape = (/'shape':\s*\(([^)]*)\)/.exec(header)?.[1] ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean)
    .map(Number);
  const read = READERS[kind];
  if (!read || /'fortran_order':\s*True/.test(header))
    throw new Error(`Arrays of ${kind} are not read here.`);
  return { shape, data: read(bytes.slice(start).buffer) };
}
