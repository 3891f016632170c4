import { describe, expect, it } from 'vitest';

import { readNumpy } from './npy';

/** The layout of `numpy.lib.format`: magic, version 1.0, length of the header, header, elements. */
function file(header: string, elements: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(header.padEnd(54) + '\n');
  return Uint8Array.of(
    0x93,
    0x4e,
    0x55,
    0x4d,
    0x50,
    0x59,
    1,
    0,
    text.length,
    0,
    ...text,
    ...elements,
  );
}

describe('readNumpy', () => {
  it('returns shape and elements', () => {
    const { shape, data } = readNumpy(
      file(
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }",
        new Uint8Array(Float32Array.of(1.5, -2).buffer),
      ),
    );
    expect(shape).toEqual([2, 1]);
    expect([...data]).toEqual([1.5, -2]);
  });

  it('reads bytes, wide integers, vectors and scalars', () => {
    expect(
      readNumpy(
        file("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", Uint8Array.of(1, 2, 255)),
      ),
    ).toEqual({ shape: [3], data: Uint8Array.of(1, 2, 255) });
    expect(
      readNumpy(
        file(
          "{'descr': '<i8', 'fortran_order': False, 'shape': (), }",
          new Uint8Array(BigInt64Array.of(-7n).buffer),
        ),
      ),
    ).toEqual({ shape: [], data: Float64Array.of(-7) });
  });

  it.each([
    ['what is no file', Uint8Array.of(1, 2, 3)],
    [
      'an unknown type',
      file("{'descr': '<c8', 'fortran_order': False, 'shape': (), }", new Uint8Array(8)),
    ],
    [
      'columns first',
      file("{'descr': '<f4', 'fortran_order': True, 'shape': (), }", new Uint8Array(4)),
    ],
  ])('refuses %s', (_, bytes) => {
    expect(() => readNumpy(bytes)).toThrow();
  });
});
