import { decodeText } from '@partner-portal/core/knowledge/decode-text.ts';
import { CHARACTERS_MAX, type ReadProblem } from '@partner-portal/core/knowledge/knowledge-file.ts';
import type { KnowledgeType } from '@partner-portal/core/knowledge/knowledge-types.ts';
import { cutPassages, type Passage } from '@partner-portal/core/knowledge/passages.ts';
import { searchVector } from '@partner-portal/core/knowledge/search-vector.ts';
import { readPdf, type ReadText } from './read-pdf.ts';

export type KnowledgeSource =
  /** `foundBy`: by heading, words that find a passage which it does not show. */
  | { kind: 'text'; title: string; text: string; foundBy?: Readonly<Record<string, string>> }
  | { kind: 'file'; title: string; contentType: KnowledgeType; bytes: Uint8Array };
export type Prepared = { kind: 'passages'; passages: (Passage & { search: string })[] } | { kind: 'failed'; problem: ReadProblem };

/** Reads a document and cuts it into passages with their words. Runs in a thread of `platform/compute`. */
export async function prepareKnowledge(source: KnowledgeSource): Promise<Prepared> {
  const read = source.kind === 'text' ? ({ kind: 'text', text: source.text } as const) : await readFile(source);
  if (read.kind === 'failed') return read;
  if (read.text.length > CHARACTERS_MAX) return { kind: 'failed', problem: 'too_long' };
  const passages = cutPassages(read.text).filter(({ content }) => /[\p{L}\p{N}]/u.test(content));
  if (passages.length === 0 && source.kind === 'file') return { kind: 'failed', problem: 'no_text' };
  const { title } = source;
  const foundBy = source.kind === 'text' ? (source.foundBy ?? {}) : {};
  const searchOf = ({ heading, content }: Passage): string => {
    const [upper = ''] = heading.split(' › ', 1);
    return searchVector({ title, heading: `${heading} ${foundBy[upper] ?? ''}`, content });
  };
  return { kind: 'passages', passages: passages.map((passage) => ({ ...passage, search: searchOf(passage) })) };
}

async function readFile({ contentType, bytes }: Extract<KnowledgeSource, { kind: 'file' }>): Promise<ReadText> {
  switch (contentType) {
    case 'application/pdf':
      return readPdf(bytes);
    case 'text/plain':
    case 'text/markdown':
      return readPlain(bytes);
  }
}

function readPlain(bytes: Uint8Array): ReadText {
  const text = decodeText(bytes);
  return text === null ? { kind: 'failed', problem: 'damaged' } : { kind: 'text', text };
}
