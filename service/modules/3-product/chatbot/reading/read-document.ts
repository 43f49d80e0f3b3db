import { createHash } from 'node:crypto';
import { READ_PROBLEMS } from '@partner-portal/core/knowledge/knowledge-file.ts';
import type { KnowledgeType } from '@partner-portal/core/knowledge/knowledge-types.ts';
import { clean } from '@partner-portal/core/knowledge/decode-text.ts';
import { profileText } from '@partner-portal/core/knowledge/profile-text.ts';
import { z } from 'zod';
import { FileGone, readWhole } from '#modules/1-ledger/files/index.ts';
import { ComputeRefusal, defineTask } from '#platform/compute/compute-pool.ts';
import type { Tx } from '#platform/db/tx.ts';
import { defineJob, type JobContext } from '#platform/jobs/define-job.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import type { ChatbotDeps } from '../deps.ts';
import { profileTitle, profileWords, textTitle } from '../own-words.ts';
import type { DocumentRow } from '../store-documents.ts';
import type { KnowledgeSource, Prepared, prepareKnowledge } from './prepare.ts';
import {
  type ClaimedDocument,
  claimDocument,
  failForgotten,
  findProfile,
  findText,
  isDocumentWaiting,
  lockReading,
  refreshWords,
  replacePassages,
  settleDocument,
} from './store.ts';

const ATTEMPTS_MAX = 4;
const FORGOTTEN_MS = 60 * 60_000;

/**
 * Reads every document that waits for it, one after the other. It names none, so that a job holds no worker while it waits for another's document; one
 * queue, because reading a file takes memory outside of any heap.
 */
export const readDocumentsJob = defineJob('chatbot.read_documents', z.object({}), { attemptsMax: ATTEMPTS_MAX, queue: 'knowledge' });

const PREPARE = defineTask<typeof prepareKnowledge>({
  file: new URL('./prepare.ts', import.meta.url),
  name: 'prepareKnowledge',
  deadlineMs: 30_000,
});

/** Has the documents that wait read soon. Without a key, whose row would make the transactions of all agencies wait for each other. */
export function queueReading(tx: Tx): Promise<void> {
  return enqueue(tx, readDocumentsJob, {});
}

/** Reads what waits until nothing is left, a document of each agency in turn. A document that fails is left for another try, and the others go on. */
export async function readDocuments(deps: ChatbotDeps, { signal }: Pick<JobContext, 'signal'>): Promise<void> {
  const { db } = deps;
  const unsettled: string[] = [];
  const faults: unknown[] = [];
  const claimAfter = (after: string | null): Promise<ClaimedDocument | undefined> =>
    db.asSystem('knowledge', (tx) => claimDocument(tx, { after, except: unsettled, attemptsMax: ATTEMPTS_MAX }));
  for (let document = await claimAfter(null); document; document = await claimAfter(document.partnerId)) {
    try {
      if (!(await readDocument(deps, document))) unsettled.push(document.id);
    } catch (error) {
      unsettled.push(document.id);
      faults.push(error);
    }
    // Another process, or the next start, goes on.
    if (signal.aborted) return db.asSystem('knowledge', queueReading);
  }
  if (faults.length > 0) throw new AggregateError(faults, 'Documents were not read.');
}

/**
 * Reads a document that was claimed; false when it is not settled. Until the last statement nothing of it is changed, so a reading that was
 * interrupted begins again; one whose document was changed or removed meanwhile is discarded.
 */
async function readDocument(deps: ChatbotDeps, document: ClaimedDocument): Promise<boolean> {
  const source = await sourceOf(deps, document);
  if (source === null) return false;
  const sourceHash = createHash('sha256')
    .update(source.kind === 'text' ? source.text : source.bytes)
    .digest();
  const prepared = await prepare(deps, document, source);
  const owner = { id: document.chatbotId, partnerId: document.partnerId, clientId: document.clientId };
  return deps.db.asTenant({ kind: 'tenant', partnerId: owner.partnerId, clientId: owner.clientId }, async (tx) => {
    if (!(await lockReading(tx, document))) return false;
    const passages = prepared.kind === 'passages' ? prepared.passages : [];
    await replacePassages(tx, document, passages);
    await refreshWords(tx, owner);
    const problem = prepared.kind === 'failed' ? READ_PROBLEMS[prepared.problem] : null;
    await settleDocument(tx, document.id, { title: source.title, passages: passages.length, problem, sourceHash });
    return true;
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
  // Titled by what the client is called now, in its language.
  return db.asSystem('knowledge', async (tx): Promise<KnowledgeSource | null> => {
    if (kind === 'text') {
      const text = await findText(tx, chatbotId);
      return text ? { kind: 'text', title: textTitle(text.locale), text: clean(text.knowledgeText) } : null;
    }
    const profile = await findProfile(tx, clientId);
    if (!profile) return null;
    const { words, foundBy } = profileWords(profile);
    return { kind: 'text', title: profileTitle(profile), text: clean(profileText(profile, words)), foundBy };
  });
}

async function prepare({ compute }: ChatbotDeps, { partnerId, attempts }: ClaimedDocument, source: KnowledgeSource): Promise<Prepared> {
  const bytes = source.kind === 'text' ? source.text.length * 2 : source.bytes.length;
  try {
    return await compute.run(PREPARE, source, { key: partnerId, bytes });
  } catch (error) {
    const isFault = error instanceof ComputeRefusal && (error.reason === 'deadline' || error.reason === 'memory');
    // A busy moment is none of the document's; the job comes again.
    if (isFault) return { kind: 'failed', problem: error.reason === 'memory' ? 'too_large' : 'too_slow' };
    if (attempts >= ATTEMPTS_MAX) return { kind: 'failed', problem: 'too_slow' };
    throw error;
  }
}

/** Has documents read whose job was lost, and ends those whose every reading was cut off, such as by the end of its process. */
export async function endForgottenReadings({ db, clock }: ChatbotDeps): Promise<void> {
  const before = new Date(clock.now().getTime() - FORGOTTEN_MS);
  await db.asSystem('knowledge', async (tx) => {
    await failForgotten(tx, { before, attemptsMax: ATTEMPTS_MAX, problem: READ_PROBLEMS.too_slow });
    if (await isDocumentWaiting(tx, ATTEMPTS_MAX)) await queueReading(tx);
  });
}
