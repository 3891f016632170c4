/** RGBA, four bytes per pixel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

export interface Difference {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  /** Over all pixels and channels, from 0 to 255. */
  readonly mean: number;
  readonly largest: number;
}

/** The difference of two images of equal size. Transparent pixels count as black. */
export function difference(a: Pixels, b: Pixels): Difference {
  const data = new Uint8ClampedArray(a.data.length);
  let sum = 0;
  let largest = 0;
  for (let at = 0; at < data.length; at += 4) {
    const coverA = (a.data[at + 3] ?? 0) / 255;
    const coverB = (b.data[at + 3] ?? 0) / 255;
    for (let channel = at; channel < at + 3; channel++) {
      const distance = Math.abs((a.data[channel] ?? 0) * coverA - (b.data[channel] ?? 0) * coverB);
      data[channel] = distance;
      sum += distance;
      if (distance > largest) largest = distance;
    }
    data[at + 3] = 255;
  }
  const count = (data.length / 4) * 3;
  return { data, mean: count > 0 ? sum / count : 0, largest };
}
