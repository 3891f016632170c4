import { describe, expect, it } from 'vitest';

import { difference, type Pixels } from './difference';

const pixels = (...data: number[]): Pixels => ({
  width: data.length / 4,
  height: 1,
  data: Uint8ClampedArray.from(data),
});

describe('difference', () => {
  it('of an image to itself is black', () => {
    const image = pixels(1, 2, 3, 255, 250, 0, 9, 255);
    expect(difference(image, image)).toMatchObject({ mean: 0, largest: 0 });
    expect([...difference(image, image).data]).toEqual([0, 0, 0, 255, 0, 0, 0, 255]);
  });

  it('is symmetric and opaque', () => {
    const [a, b] = [pixels(10, 200, 0, 255), pixels(30, 100, 0, 255)];
    expect(difference(a, b)).toEqual(difference(b, a));
    expect([...difference(a, b).data]).toEqual([20, 100, 0, 255]);
    expect(difference(a, b)).toMatchObject({ mean: 40, largest: 100 });
  });

  it('treats transparent pixels as black', () => {
    expect(difference(pixels(255, 255, 255, 0), pixels(0, 0, 0, 255)).largest).toBe(0);
  });
});
