import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import type { KnownProfile } from '@partner-portal/core/knowledge/profile-text.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx, Tx } from '#platform/db/tx.ts';
import { DOCUMENT_COLUMNS, type DocumentRow } from '../store-documents.ts';

/** A document for one attempt to read it, which `attempts` counts. */
export type ClaimedDocument = DocumentRow & { attempts: number };

/**
 * Claims the next document that waits: of the first agency behind `after`, else of the first of all, so that agencies take turns; of an agency its
 * profiles and texts before its files. The attempt is counted before it begins, so that a document that ends the process is not read again and again.
 */
export async function claimDocument(
  tx: SystemTx,
  { after, except, attemptsMax }: { after: string | null; except: readonly string[]; attemptsMax: number },
): Promise<ClaimedDocument | undefined> {
  const [row] = await runStatement<'knowledge_claim', ClaimedDocument>(tx, {
    name: 'knowledge_claim',
    prepare: false,
    text: `with next as (
        (select w.id, 1 as lap from knowledge_document w where w.status = 'pending' and w.partner_id > $1 and w.attempts < $3 and w.id <> all($2::uuid[])
          order by w.partner_id, (w.kind = 'file'), w.updated_at limit 1)
        union all
        (select w.id, 2 from knowledge_document w where w.status = 'pending' and ($1::uuid is null or w.partner_id <= $1) and w.attempts < $3 and w.id <> all($2::uuid[])
          order by w.partner_id, (w.kind = 'file'), w.updated_at limit 1)
        order by lap limit 1)
      update knowledge_document d set attempts = d.attempts + 1 from next where d.id = next.id and d.status = 'pending'
      returning ${DOCUMENT_COLUMNS}, d.attempts`,
    values: [after, except, attemptsMax],
  });
  return row;
}

/** Whether a document waits that may be read once more. */
export async function isDocumentWaiting(tx: SystemTx, attemptsMax: number): Promise<boolean> {
  const rows = await runStatement<'knowledge_is_waiting'>(tx, {
    name: 'knowledge_is_waiting',
    prepare: false,
    text: `select 1 as waits from knowledge_document where status = 'pending' and attempts < $1 limit 1`,
    values: [attemptsMax],
  });
  return rows.length > 0;
}

export async function findProfile(tx: Tx, clientId: string): Promise<(KnownProfile & { locale: Locale }) | undefined> {
  const [row] = await runStatement<'knowledge_profile', KnownProfile & { locale: Locale }>(tx, {
    name: 'knowledge_profile',
    prepare: false,
    text: 'select name, locale, phone, website, contact_email, business_profile from client where id = $1',
    values: [clientId],
  });
  return row;
}

export async function findText(tx: Tx, chatbotId: string): Promise<{ knowledgeText: string; locale: Locale } | undefined> {
  const [row] = await runStatement<'knowledge_text', { knowledgeText: string; locale: Locale }>(tx, {
    name: 'knowledge_text',
    prepare: false,
    text: 'select b.knowledge_text, c.locale from chatbot b join client c on c.id = b.client_id where b.id = $1',
    values: [chatbotId],
  });
  return row;
}

/** Locks the chatbot, and returns whether the document still waits for this reading of it. */
export async function lockReading(tx: TenantTx, document: { id: string; chatbotId: string; updatedAt: Date }): Promise<boolean> {
  await runStatement(tx, {
    name: 'knowledge_lock_chatbot',
    prepare: false,
    text: 'select id from chatbot where id = $1 for no key update',
    values: [document.chatbotId],
  });
  const rows = await runStatement<'knowledge_is_current'>(tx, {
    name: 'knowledge_is_current',
    prepare: false,
    text: `select id from knowledge_document where id = $1 and status = 'pending' and updated_at = $2`,
    values: [document.id, document.updatedAt],
  });
  return rows.length > 0;
}

export type NewPassage = { heading: string; content: string; search: string };

/** Replaces the passages of a document. */
export async function replacePassages(
  tx: TenantTx,
  document: { id: string; partnerId: string; clientId: string; chatbotId: string },
  passages: readonly NewPassage[],
): Promise<void> {
  await runStatement(tx, {
    name: 'knowledge_clear_passages',
    prepare: false,
    text: 'delete from knowledge_passage where document_id = $1',
    values: [document.id],
  });
  await runStatement(tx, {
    name: 'knowledge_add_passages',
    prepare: false,
    text: `insert into knowledge_passage (partner_id, client_id, chatbot_id, document_id, n, heading, content, search)
      select $1, $2, $3, $4, p.n, p.heading, p.content, p.search::tsvector
      from unnest($5::text[], $6::text[], $7::text[]) with ordinality as p (heading, content, search, n)`,
    values: [
      document.partnerId,
      document.clientId,
      document.chatbotId,
      document.id,
      passages.map(({ heading }) => heading),
      passages.map(({ content }) => content),
      passages.map(({ search }) => search),
    ],
  });
}

/** Counts the words of a chatbot's passages again; only what changed is written. */
export async function refreshWords(tx: Tx, chatbot: { id: string; partnerId: string; clientId: string }): Promise<void> {
  await runStatement(tx, {
    name: 'knowledge_refresh_words',
    prepare: false,
    text: `with counted as materialized (
        select word, ndoc from ts_stat(format('select search from knowledge_passage where chatbot_id = %L', $1::uuid))),
      gone as (delete from knowledge_word w where w.chatbot_id = $1 and not exists (select from counted c where c.word = w.word))
      insert into knowledge_word (chatbot_id, word, partner_id, client_id, passages)
      select $1, c.word, $2, $3, c.ndoc from counted c
      on conflict (chatbot_id, word) do update set passages = excluded.passages where knowledge_word.passages <> excluded.passages`,
    values: [chatbot.id, chatbot.partnerId, chatbot.clientId],
  });
}

export async function settleDocument(
  tx: TenantTx,
  id: string,
  outcome: { title: string; passages: number; problem: string | null; sourceHash: Buffer | null },
): Promise<void> {
  await runStatement(tx, {
    name: 'knowledge_settle',
    prepare: false,
    text: `update knowledge_document set status = case when $3::text is null then 'ready' else 'failed' end, passages = $2, problem = $3, source_hash = $4,
        title = $5
      where id = $1`,
    values: [id, outcome.passages, outcome.problem, outcome.sourceHash, outcome.title],
  });
}

/** Ends the reading of documents that have no attempt left. */
export async function failForgotten(tx: SystemTx, of: { before: Date; attemptsMax: number; problem: string }): Promise<void> {
  await runStatement(tx, {
    name: 'knowledge_fail_forgotten',
    prepare: false,
    text: `update knowledge_document set status = 'failed', problem = $3 where status = 'pending' and updated_at < $1 and attempts >= $2`,
    values: [of.before, of.attemptsMax, of.problem],
  });
}
