import { IMAGE_ACCEPT, SOURCE_BYTES_MAX } from './image-rules.ts';

/** A part of an image, in percent of its width and height. */
export type CropArea = { x: number; y: number; width: number; height: number };

/** Text for a person: why a file is not taken. */
export type ImageProblem = 'wrong-type' | 'too-large' | 'damaged' | 'too-many-pixels';

export class UnreadableImage extends Error {
  readonly problem: ImageProblem;
  constructor(problem: ImageProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Decodes a picked file. What the browser cannot read is no image we could store. */
export async function decodeImage(file: File): Promise<ImageBitmap> {
  if (!IMAGE_ACCEPT.includes(file.type)) throw new UnreadableImage('wrong-type');
  if (file.size > SOURCE_BYTES_MAX) throw new UnreadableImage('too-large');
  try {
    return await createImageBitmap(file);
  } catch {
    throw new UnreadableImage('damaged');
  }
}

/** Draws the area so that it fits into `max` by `max` pixels, never larger than it is. */
export function drawArea(canvas: HTMLCanvasElement, image: ImageBitmap, area: CropArea, max: number): void {
  const width = Math.max(1, Math.round((area.width / 100) * image.width));
  const height = Math.max(1, Math.round((area.height / 100) * image.height));
  const scale = Math.min(1, max / Math.max(width, height));
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  if (!context) return;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, (area.x / 100) * image.width, (area.y / 100) * image.height, width, height, 0, 0, canvas.width, canvas.height);
}

/** The area as a file: PNG, which keeps what is transparent. */
export async function cutImage(image: ImageBitmap, area: CropArea, max: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  drawArea(canvas, image, area, max);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new UnreadableImage('too-many-pixels');
  return blob;
}
