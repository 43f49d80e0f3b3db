import type { KnowledgeKind } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type DocumentRow = {
  id: string;
  partnerId: string;
  clientId: string;
  chatbotId: string;
  kind: KnowledgeKind;
  title: string;
  contentType: string | null;
  sizeBytes: number;
  fileId: string | null;
  status: string;
  problem: string | null;
  passages: number;
  createdAt: Date;
  updatedAt: Date;
};

export const DOCUMENT_COLUMNS = `d.id, d.partner_id, d.client_id, d.chatbot_id, d.kind, d.title, d.content_type, d.size_bytes, d.file_id, d.status, d.problem, d.passages,
  d.created_at, d.updated_at`;

/** Profile and text first, then files, newest first. */
export async function listDocuments(tx: Tx, clientId: string): Promise<DocumentRow[]> {
  return runStatement<'knowledge_documents', DocumentRow>(tx, {
    name: 'knowledge_documents',
    text: `select ${DOCUMENT_COLUMNS} from knowledge_document d where d.client_id = $1 order by array_position(array['profile', 'text', 'file'], d.kind), d.id desc`,
    values: [clientId],
  });
}

export async function findDocument(tx: Tx, id: string): Promise<DocumentRow | undefined> {
  const [row] = await runStatement<'knowledge_document', DocumentRow>(tx, {
    name: 'knowledge_document',
    text: `select ${DOCUMENT_COLUMNS} from knowledge_document d where d.id = $1`,
    values: [id],
  });
  return row;
}

export async function countFiles(tx: Tx, chatbotId: string): Promise<number> {
  const [row] = await runStatement<'knowledge_count_files', { files: number }>(tx, {
    name: 'knowledge_count_files',
    prepare: false,
    text: `select count(*)::int as files from knowledge_document where chatbot_id = $1 and kind = 'file'`,
    values: [chatbotId],
  });
  return row?.files ?? 0;
}

type Owner = { id: string; partnerId: string; clientId: string };

export async function insertFileDocument(
  tx: Tx,
  chatbot: Owner,
  file: { id: string; title: string; contentType: string; sizeBytes: number; fileId: string; uploadedBy: string },
): Promise<void> {
  await runStatement(tx, {
    name: 'knowledge_insert_file',
    prepare: false,
    text: `insert into knowledge_document (id, partner_id, client_id, chatbot_id, kind, title, content_type, size_bytes, file_id, uploaded_by)
      values ($1, $2, $3, $4, 'file', $5, $6, $7, $8, $9)`,
    values: [
      file.id,
      chatbot.partnerId,
      chatbot.clientId,
      chatbot.id,
      file.title,
      file.contentType,
      file.sizeBytes,
      file.fileId,
      file.uploadedBy,
    ],
  });
}

/** Adds the profile or text of a chatbot, or lets it wait to be read again. */
export async function putOwnDocument(
  tx: Tx,
  chatbot: Owner,
  document: { kind: 'profile' | 'text'; title: string; sizeBytes: number },
): Promise<void> {
  await runStatement(tx, {
    name: 'knowledge_put_own',
    prepare: false,
    text: `insert into knowledge_document (partner_id, client_id, chatbot_id, kind, title, size_bytes) values ($1, $2, $3, $4, $5, $6)
      on conflict (chatbot_id, kind) where kind <> 'file' do update set title = excluded.title, size_bytes = excluded.size_bytes,
        status = 'pending', attempts = 0, problem = null, updated_at = greatest(now(), knowledge_document.updated_at + interval '1 ms')`,
    values: [chatbot.partnerId, chatbot.clientId, chatbot.id, document.kind, document.title, document.sizeBytes],
  });
}

/** Lets the profiles of these clients wait to be read again, where they have a chatbot; false when none has. */
export async function renewProfiles(tx: Tx, clientIds: readonly string[]): Promise<boolean> {
  const rows = await runStatement<'knowledge_renew_profiles'>(tx, {
    name: 'knowledge_renew_profiles',
    prepare: false,
    text: `update knowledge_document set status = 'pending', attempts = 0, problem = null, updated_at = greatest(now(), updated_at + interval '1 ms')
      where client_id = any($1::uuid[]) and kind = 'profile' returning id`,
    values: [[...clientIds]],
  });
  return rows.length > 0;
}

/** Deletes a document with its passages. */
export async function deleteDocument(tx: Tx, id: string): Promise<void> {
  await runStatement(tx, { name: 'knowledge_delete', prepare: false, text: 'delete from knowledge_document where id = $1', values: [id] });
}

/** Deletes the document of a text that was emptied; false when there is none. */
export async function deleteText(tx: Tx, chatbotId: string): Promise<boolean> {
  const rows = await runStatement<'knowledge_delete_text'>(tx, {
    name: 'knowledge_delete_text',
    prepare: false,
    text: `delete from knowledge_document where chatbot_id = $1 and kind = 'text' returning id`,
    values: [chatbotId],
  });
  return rows.length > 0;
}
