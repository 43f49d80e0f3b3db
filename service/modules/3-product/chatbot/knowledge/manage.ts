import { knowledgeTypeOf, titleOf } from '@partner-portal/core/knowledge/knowledge-file.ts';
import type { KnowledgeType } from '@partner-portal/core/knowledge/knowledge-types.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { refuseFullStorage } from '#modules/2-tenancy/media/index.ts';
import type { ClientRef } from '#modules/2-tenancy/clients/index.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { Upload } from '#platform/http/receive-upload.ts';
import { newId } from '#platform/ids.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { withClient } from '../client-scope.ts';
import type { ChatbotDeps } from '../deps.ts';
import { requireChatbotFeature } from '../require-feature.ts';
import { defaultsOf } from '../defaults.ts';
import { type ChatbotRow, findChatbotOf, insertChatbot, lockChatbotOf } from '../store.ts';
import { findPassages } from './find-passages.ts';
import { queueReading } from '../reading/read-document.ts';
import { refreshWords } from '../reading/store.ts';
import { countFiles, deleteDocument, type DocumentRow, findDocument, insertFileDocument, listDocuments } from '../store-documents.ts';
import { queueOwnKnowledge } from './own-knowledge.ts';

const EXCERPT_MAX = 300;

/** The knowledge of a client's chatbot. */
export function readKnowledge({ db }: ChatbotDeps, actor: Actor, clientId: string | undefined) {
  return withClient(db, actor, clientId, 'invalid_query', async (tx, client) => (await listDocuments(tx, client.id)).map(toRecord));
}

/** The passages found for a question, as a visitor's question finds them. */
export function searchKnowledge({ db }: ChatbotDeps, actor: Actor, { clientId, q }: { clientId?: string | undefined; q: string }) {
  return withClient(db, actor, clientId, 'invalid_query', async (tx, client) => {
    const chatbot = await findChatbotOf(tx, client.id);
    const found = chatbot ? await findPassages(tx, chatbot.id, [q]) : [];
    return found.map(({ content, ...passage }) => ({ ...passage, excerpt: excerptOf(content) }));
  });
}

/** Stores a file that the chatbot is to know; it is read in the background. */
export async function uploadKnowledge(deps: ChatbotDeps, caller: RequestContext, clientId: string | undefined) {
  const { db, files } = deps;
  const { actor, upload } = caller;
  const { bytes, filename, type } = acceptFile(upload);
  // Before the work: an upload without room costs no write.
  const owner = await withClient(db, actor, clientId, 'validation_failed', async (tx, client) => {
    await refuseFull(tx, client, bytes.length);
    return { partnerId: client.partnerId, clientId: client.id };
  });
  const stored = await files.write(owner, { purpose: 'knowledge', contentType: type }, [bytes]);
  try {
    return await withClient(db, actor, owner.clientId, 'validation_failed', async (tx, client) => {
      const chatbot = await refuseFull(tx, client, bytes.length);
      const document = { id: newId(), title: titleOf(filename), contentType: type, sizeBytes: bytes.length };
      await insertFileDocument(tx, chatbot, { ...document, fileId: stored.id, uploadedBy: actor.userId });
      await queueReading(tx);
      await record(tx, caller, 'chatbot.knowledge_added', { ...document, partnerId: client.partnerId, clientId: client.id });
      const row = await findDocument(tx, document.id);
      return row ? toRecord(row) : refuse('not_found');
    });
  } catch (error) {
    // The sweep of files removes files that this does not.
    await db.asTenant({ kind: 'tenant', ...owner }, (tx) => files.remove(tx, [stored.id])).catch(() => undefined);
    throw error;
  }
}

/** Removes a file with its bytes and passages. */
export async function removeKnowledge({ db, files }: ChatbotDeps, caller: RequestContext, id: string): Promise<void> {
  await inScope(db, caller.actor, undefined, async (tx) => {
    const seen = (await findDocument(tx, id)) ?? refuse('not_found');
    await requireChatbotFeature(tx, seen.partnerId);
    const chatbot = (await lockChatbotOf(tx, seen.clientId)) ?? refuse('not_found');
    // Another call may have removed it while this one waited for the lock.
    const document = (await findDocument(tx, id)) ?? refuse('not_found');
    if (document.fileId === null)
      return refuse('invalid_state', { detail: 'Only files are removed. Change the business profile or the text instead.' });
    await deleteDocument(tx, id);
    await files.remove(tx, [document.fileId]);
    await refreshWords(tx, chatbot);
    await record(tx, caller, 'chatbot.knowledge_removed', document);
  });
}

function acceptFile({ file }: Upload): { bytes: Buffer; filename: string; type: KnowledgeType } {
  if (!file) return refuseField('file', 'required', 'Choose a file.');
  if (file.bytes.length === 0) return refuseField('file', 'empty', 'The file is empty.');
  const type = knowledgeTypeOf(file.bytes, file.filename);
  if (type === null) return refuseField('file', 'not_readable', 'Upload a PDF, a text or a Markdown file.');
  return { bytes: file.bytes, filename: file.filename, type };
}

/** Returns the chatbot, made when it is missing, once there is room for a further file. */
async function refuseFull(tx: Tx, client: ClientRef, bytes: number): Promise<ChatbotRow> {
  const isNew = await insertChatbot(tx, { partnerId: client.partnerId, clientId: client.id }, defaultsOf(client));
  const chatbot = (await lockChatbotOf(tx, client.id)) ?? refuse('not_found');
  if (isNew) await queueOwnKnowledge(tx, chatbot, client);
  if ((await countFiles(tx, chatbot.id)) >= LIMITS.knowledgeFilesMax) {
    const detail = `A chatbot can have ${LIMITS.knowledgeFilesMax} files. Remove one first.`;
    return refuse('media_limit_reached', { detail, limitFiles: LIMITS.knowledgeFilesMax });
  }
  await refuseFullStorage(tx, client.partnerId, bytes);
  return chatbot;
}

function toRecord({ partnerId: _p, clientId: _c, chatbotId: _b, fileId: _f, ...record }: DocumentRow) {
  return record;
}

/** Returns the beginning of a passage, as shown next to an answer. */
export function excerptOf(content: string): string {
  const line = content.replace(/\s+/g, ' ');
  return line.length <= EXCERPT_MAX
    ? line
    : `${line
        .slice(0, EXCERPT_MAX)
        .replace(/\s+\S*$/, '')
        .toWellFormed()}…`;
}

async function record(
  tx: Tx,
  caller: RequestContext,
  action: 'chatbot.knowledge_added' | 'chatbot.knowledge_removed',
  document: { id: string; title: string; partnerId: string; clientId: string },
): Promise<void> {
  const { partnerId, clientId, id, title } = document;
  const target = { type: 'knowledge', id, label: title };
  await recordAudit(tx, { partnerId, clientId, actor: caller.actor, action, target, origin: originOf(caller) });
}
