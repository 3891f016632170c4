export function saveFile(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(
    typeof content === 'string' ? new Blob([content], { type }) : content,
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Pixels of a PNG per pixel of its picture, so that it is sharp in documents. */
const PNG_RATIO = 2;

/** An SVG picture as PNG. */
export async function rasterized(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width * PNG_RATIO;
    canvas.height = image.height * PNG_RATIO;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => {
        if (blob) resolve(blob);
        else reject(new Error('The browser cannot encode the picture.'));
      }, 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

export function savePicture(name: string, canvas: HTMLCanvasElement): void {
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext('2d');
  if (!context) return;
  context.fillStyle = getComputedStyle(canvas).getPropertyValue('--panel').trim();
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  copy.toBlob((blob) => {
    if (blob) saveFile(name, 'image/png', blob);
  });
}
