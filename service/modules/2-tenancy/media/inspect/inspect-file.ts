import type { MediaPurpose, MediaType } from '@partner-portal/contract/vocabulary.ts';
import { containerProblem } from '@partner-portal/core/media/file-problem.ts';
import { encodeImage } from './encode-image.ts';
import type { Inspection } from './inspection.ts';

/** Inspects an untrusted file and re-encodes an image. Runs in a thread of `platform/compute`. */
export async function inspectFile({
  bytes,
  type,
  purpose,
}: {
  bytes: Uint8Array;
  type: MediaType;
  purpose: MediaPurpose;
}): Promise<Inspection> {
  const problem = containerProblem(type, bytes);
  if (problem !== null) return { kind: 'refused', problem };
  // A PDF is never opened: it is a download, and only its reader decompresses it.
  return type === 'application/pdf' ? { kind: 'document' } : encodeImage(bytes, type, purpose);
}
