import type { MediaType } from '@partner-portal/contract/vocabulary.ts';
import type { FileProblem } from '@partner-portal/core/media/file-problem.ts';

export type Encoded = { bytes: Uint8Array; contentType: MediaType; width: number; height: number };

/** The result of inspecting an untrusted file: a re-encoded image with its other sizes, a document that may be stored as it is, or a refusal. */
export type Inspection =
  | { kind: 'image'; image: Encoded; variants: (Encoded & { name: string })[] }
  | { kind: 'document' }
  | { kind: 'refused'; problem: FileProblem };
