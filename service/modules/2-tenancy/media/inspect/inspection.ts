import type { MediaType } from '@partner-portal/contract/vocabulary.ts';
import type { FileProblem } from '@partner-portal/core/media/file-problem.ts';

export type Encoded = { bytes: Uint8Array; contentType: MediaType; width: number; height: number };

/** What a file of a stranger is: an image made anew with its other sizes, a document that may be stored as it is, or neither. */
export type Inspection =
  | { kind: 'image'; image: Encoded; variants: (Encoded & { name: string })[] }
  | { kind: 'document' }
  | { kind: 'refused'; problem: FileProblem };
