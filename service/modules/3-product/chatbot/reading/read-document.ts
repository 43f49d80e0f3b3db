import { createHash } from 'node:crypto';
import { READ_PROBLEMS, type KnowledgeType } from '@partner-portal/core/knowledge/knowledge-file.ts';
import { clean } from '@partner-portal/core/knowledge/decode-text.ts';
import { profileText } from '@partner-portal/core/knowledge/profile-text.ts';
import { z } from 'zod';
import { FileGone, readWhole } from '#modules/1-ledger/files/index.ts';
import { ComputeRefusal, defineTask } from '#platform/compute/compute-pool.ts';
import type { Tx } from '#platform/db/tx.ts';
import { defineJob, type JobContext } from '#platform/jobs/define-job.ts';
import { enqueueMany } from '#platform/jobs/enqueue.ts';
import type { ChatbotDeps } from '../deps.ts';
import { type DocumentRow, findDocument } from '../store-documents.ts';
import type { KnowledgeSource, Prepared, prepareKnowledge } from './prepare.ts';
import { failForgotten, findProfile, findText, lockReading, refreshWords, replacePassages, settleDocument } from './store.ts';

const ATTEMPTS_MAX = 4;
const FORGOTTEN_MS = 60 * 60_000;

/** Reads a document of a chatbot and cuts it into passages. Carries the id only. */
export const readDocumentJob = defineJob('chatbot.read_document', z.object({ documentId: z.string() }), { attemptsMax: ATTEMPTS_MAX });

const PREPARE = defineTask<typeof prepareKnowledge>({
  file: new URL('./prepare.ts', import.meta.url),
  name: 'prepareKnowledge',
  deadlineMs: 30_000,
});

/** Has documents read soon, each once. */
export function queueReading(tx: Tx, documentIds: readonly string[]): Promise<void> {
  return enqueueMany(
    tx,
    readDocumentJob,
    documentIds.map((documentId) => ({ documentId })),
    { keyOf: ({ documentId }) => `chatbot.read_document:${documentId}` },
  );
}

/**
 * Reads a document that waits for it. Until the last statement nothing of it is changed, so a reading that was interrupted begins again; one whose
 * document was changed or removed meanwhile is discarded.
 */
export async function readDocument(deps: ChatbotDeps, documentId: string, { attempt }: Pick<JobContext, 'attempt'>): Promise<void> {
  const { db } = deps;
  const document = await db.asSystem('knowledge', (tx) => findDocument(tx, documentId));
  if (document?.status !== 'pending') return;
  const source = await sourceOf(deps, document);
  if (source === null) return;
  const sourceHash = createHash('sha256')
    .update(source.kind === 'text' ? source.text : source.bytes)
    .digest();
  const prepared = await prepare(deps, document, source, attempt);
  const owner = { id: document.chatbotId, partnerId: document.partnerId, clientId: document.clientId };
  await db.asTenant({ kind: 'tenant', partnerId: owner.partnerId, clientId: owner.clientId }, async (tx) => {
    if (!(await lockReading(tx, document))) return;
    const passages = prepared.kind === 'passages' ? prepared.passages : [];
    await replacePassages(tx, document, passages);
    await refreshWords(tx, owner);
    const problem = prepared.kind === 'failed' ? READ_PROBLEMS[prepared.problem] : null;
    await settleDocument(tx, documentId, { passages: passages.length, problem, sourceHash });
  });
}

/** Null: it is gone. */
async function sourceOf({ db, files }: ChatbotDeps, document: DocumentRow): Promise<KnowledgeSource | null> {
  const { title, kind, clientId, chatbotId, fileId } = document;
  if (kind === 'file') {
    const file = fileId === null ? undefined : await db.asSystem('knowledge', (tx) => files.find(tx, fileId));
    if (!file) return null;
    const bytes = await readWhole(files, file).catch((error: unknown) => {
      if (error instanceof FileGone) return null;
      throw error;
    });
    // Stored with one of these types.
    return bytes && { kind: 'file', title, contentType: document.contentType as KnowledgeType, bytes };
  }
  const text = await db.asSystem('knowledge', async (tx) => {
    if (kind === 'text') return findText(tx, chatbotId);
    const profile = await findProfile(tx, clientId);
    return profile && profileText(profile);
  });
  return text === undefined ? null : { kind: 'text', title, text: clean(text) };
}

async function prepare(
  { compute, turns }: ChatbotDeps,
  { partnerId }: DocumentRow,
  source: KnowledgeSource,
  attempt: number,
): Promise<Prepared> {
  const bytes = source.kind === 'text' ? source.text.length * 2 : source.bytes.length;
  const run = () => compute.run(PREPARE, source, { key: partnerId, bytes });
  try {
    return await (source.kind === 'file' ? turns({ key: partnerId }, run) : run());
  } catch (error) {
    const isFault = error instanceof ComputeRefusal && (error.reason === 'deadline' || error.reason === 'memory');
    // A busy moment is none of the document's; the job comes again.
    if (isFault) return { kind: 'failed', problem: error.reason === 'memory' ? 'too_large' : 'too_slow' };
    if (attempt >= ATTEMPTS_MAX) return { kind: 'failed', problem: 'too_slow' };
    throw error;
  }
}

/** Ends what no job reads any more, because its process was killed again and again. */
export async function endForgottenReadings({ db, clock }: ChatbotDeps): Promise<void> {
  await db.asSystem('knowledge', (tx) => failForgotten(tx, new Date(clock.now().getTime() - FORGOTTEN_MS), READ_PROBLEMS.too_slow));
}
