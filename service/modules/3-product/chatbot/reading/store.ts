import type { KnownProfile } from '@partner-portal/core/knowledge/profile-text.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx, Tx } from '#platform/db/tx.ts';

export async function findProfile(tx: Tx, clientId: string): Promise<KnownProfile | undefined> {
  const [row] = await runStatement<'knowledge_profile', KnownProfile>(tx, {
    name: 'knowledge_profile',
    prepare: false,
    text: 'select name, phone, website, contact_email, business_profile from client where id = $1',
    values: [clientId],
  });
  return row;
}

export async function findText(tx: Tx, chatbotId: string): Promise<string | undefined> {
  const [row] = await runStatement<'knowledge_text', { knowledgeText: string }>(tx, {
    name: 'knowledge_text',
    prepare: false,
    text: 'select knowledge_text from chatbot where id = $1',
    values: [chatbotId],
  });
  return row?.knowledgeText;
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
  outcome: { passages: number; problem: string | null; sourceHash: Buffer | null },
): Promise<void> {
  await runStatement(tx, {
    name: 'knowledge_settle',
    prepare: false,
    text: `update knowledge_document set status = case when $3::text is null then 'ready' else 'failed' end, passages = $2, problem = $3, source_hash = $4
      where id = $1`,
    values: [id, outcome.passages, outcome.problem, outcome.sourceHash],
  });
}

/** Ends the reading of documents that no job reads any more. */
export async function failForgotten(tx: SystemTx, before: Date, problem: string): Promise<void> {
  await runStatement(tx, {
    name: 'knowledge_fail_forgotten',
    prepare: false,
    text: `update knowledge_document set status = 'failed', problem = $2 where status = 'pending' and updated_at < $1`,
    values: [before, problem],
  });
}
