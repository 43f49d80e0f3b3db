import type { TextSuggestionStatus } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type SuggestionRow = {
  id: string;
  partnerId: string;
  clientId: string;
  clientName: string;
  agentId: string;
  agentName: string;
  templateName: string;
  /** The agent's settings now. */
  config: Record<string, unknown>;
  key: string;
  before: string;
  text: string;
  note: string;
  status: TextSuggestionStatus;
  suggestedByName: string;
  decidedByName: string | null;
  decisionNote: string | null;
  decidedAt: Date | null;
  createdAt: Date;
};

const COLUMNS = `s.id, s.partner_id, s.client_id, c.name as client_name, s.workflow_id as agent_id, w.name as agent_name, w.template_name, w.config, s.key, s.before,
  s.text, s.note, s.status, s.suggested_by_name, s.decided_by_name, s.decision_note, s.decided_at, s.created_at`;
const FROM = 'from text_suggestion s join workflow w on w.id = s.workflow_id join client c on c.id = s.client_id';

export async function findSuggestion(tx: Tx, id: string): Promise<SuggestionRow | undefined> {
  const [row] = await runStatement<'text_suggestion_find', SuggestionRow>(tx, {
    name: 'text_suggestion_find',
    text: `select ${COLUMNS} ${FROM} where s.id = $1`,
    values: [id],
  });
  return row;
}

/** Holds the row until the transaction ends: of two who decide at once, the second sees what the first decided. */
export async function lockSuggestion(tx: Tx, id: string): Promise<boolean> {
  const rows = await runStatement<'text_suggestion_lock', { id: string }>(tx, {
    name: 'text_suggestion_lock',
    text: 'select s.id from text_suggestion s where s.id = $1 for no key update',
    values: [id],
  });
  return rows.length > 0;
}

export type SuggestionFilters = {
  partnerId: string | null;
  clientId?: string | undefined;
  workflowId?: string | undefined;
  status?: string | undefined;
};

export async function listSuggestions(tx: Tx, filters: SuggestionFilters, before: string | null, limit: number): Promise<SuggestionRow[]> {
  return runStatement<'text_suggestion_list', SuggestionRow>(tx, {
    name: 'text_suggestion_list',
    text: `select ${COLUMNS} ${FROM}
      where ($1::uuid is null or s.partner_id = $1) and ($2::uuid is null or s.client_id = $2) and ($3::uuid is null or s.workflow_id = $3)
        and ($4::text is null or s.status = $4) and ($5::uuid is null or s.id < $5)
      order by s.id desc limit $6`,
    values: [filters.partnerId, filters.clientId ?? null, filters.workflowId ?? null, filters.status ?? null, before, limit],
  });
}

export type NewSuggestion = {
  partnerId: string;
  clientId: string;
  agentId: string;
  key: string;
  before: string;
  text: string;
  note: string;
  userId: string;
  fallbackName: string;
};

/** Counts the pending suggestions of a client. Those who count at the same time wait for each other until their transactions end. */
export async function countPending(tx: Tx, clientId: string): Promise<number> {
  await runStatement(tx, {
    name: 'text_suggestion_hold',
    text: "select pg_advisory_xact_lock(hashtextextended('text-suggestions:' || $1, 0))",
    values: [clientId],
  });
  const [row] = await runStatement<'text_suggestion_count', { pending: number }>(tx, {
    name: 'text_suggestion_count',
    text: "select count(*)::int as pending from text_suggestion where client_id = $1 and status = 'pending'",
    values: [clientId],
  });
  return row?.pending ?? 0;
}

/** Returns the id; undefined when one for the same text is pending. */
export async function insertSuggestion(tx: Tx, one: NewSuggestion): Promise<string | undefined> {
  const [row] = await runStatement<'text_suggestion_insert', { id: string }>(tx, {
    name: 'text_suggestion_insert',
    text: `insert into text_suggestion (partner_id, client_id, workflow_id, key, before, text, note, suggested_by, suggested_by_name)
      values ($1, $2, $3, $4, $5, $6, $7, $8, coalesce((select nullif(u.full_name, '') from app_user u where u.id = $8), $9))
      on conflict (workflow_id, key, client_id) where status = 'pending' do nothing returning id`,
    values: [one.partnerId, one.clientId, one.agentId, one.key, one.before, one.text, one.note, one.userId, one.fallbackName],
  });
  return row?.id;
}

/** Writes the outcome. Call with the row locked. */
export async function settleSuggestion(
  tx: Tx,
  id: string,
  outcome: { status: Exclude<TextSuggestionStatus, 'pending'>; note: string | null; userId: string; fallbackName: string },
): Promise<void> {
  await runStatement(tx, {
    name: 'text_suggestion_settle',
    text: `update text_suggestion set status = $2, decision_note = $3, decided_by = $4, decided_at = now(),
        decided_by_name = coalesce((select nullif(u.full_name, '') from app_user u where u.id = $4), $5)
      where id = $1`,
    values: [id, outcome.status, outcome.note, outcome.userId, outcome.fallbackName],
  });
}
