import { LIMITS, type MediaPurpose, type MediaType } from '@partner-portal/contract/vocabulary.ts';
import type { FileProblem } from '@partner-portal/core/media/file-problem.ts';
import { IMAGE_SIZES, type ImageSize, storedTypeOf } from '@partner-portal/core/media/media.ts';
import sharp, { type Sharp } from 'sharp';
import type { Encoded, Inspection } from './inspection.ts';

// One image at a time per thread of ours, and nothing of it is kept.
sharp.concurrency(1);
sharp.cache(false);
/** Native work cannot be ended from outside, so it ends itself before the deadline of the thread. */
const WORK_SECONDS = 8;
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };

/** Decodes an image and re-encodes it, upright, in sRGB and without metadata, with its other sizes. */
export async function encodeImage(bytes: Uint8Array, type: MediaType, purpose: MediaPurpose): Promise<Inspection> {
  const open = (input: Uint8Array): Sharp => sharp(input, { limitInputPixels: LIMITS.mediaPixelsMax, failOn: 'error', pages: 1 });
  try {
    const { width, height, pages = 1 } = await open(bytes).metadata();
    if (pages > 1) return refused('animated');
    if (width * height > LIMITS.mediaPixelsMax) return refused('too_many_pixels');
    const { largest, variants } = IMAGE_SIZES[purpose];
    const contentType = storedTypeOf(purpose, type);
    const image = await write(atSize(open(bytes).autoOrient(), largest), contentType);
    const others = [];
    // The stored image is the source: the upload is decoded once.
    for (const size of variants) others.push({ ...(await write(atSize(open(image.bytes), size), contentType)), name: size.name });
    return { kind: 'image', image, variants: others };
  } catch (error) {
    return refused(error instanceof Error && /pixel limit/i.test(error.message) ? 'too_many_pixels' : 'unreadable');
  }
}

function refused(problem: FileProblem): Inspection {
  return { kind: 'refused', problem };
}

function atSize(image: Sharp, { width, height, fit }: ImageSize): Sharp {
  return image.resize({ width, height, fit, withoutEnlargement: fit === 'inside', background: CLEAR });
}

async function write(image: Sharp, contentType: MediaType): Promise<Encoded> {
  const { data, info } = await inFormat(image.timeout({ seconds: WORK_SECONDS }), contentType).toBuffer({ resolveWithObject: true });
  return { bytes: data, contentType, width: info.width, height: info.height };
}

function inFormat(image: Sharp, contentType: MediaType): Sharp {
  if (contentType === 'image/jpeg') return image.flatten({ background: '#ffffff' }).jpeg({ quality: 85, mozjpeg: false });
  if (contentType === 'image/webp') return image.webp({ quality: 85, effort: 2 });
  return image.png({ compressionLevel: 7 });
}
