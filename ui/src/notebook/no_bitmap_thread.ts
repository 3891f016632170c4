/** Takes the place of `charts/bitmap_thread` in a notebook: charts paint their lines themselves. */
export const startBitmapThread = (): null => null;
