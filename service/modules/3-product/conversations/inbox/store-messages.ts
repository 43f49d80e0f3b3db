import type { MessageAuthor, RunTone } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { Place } from '#platform/db/place.ts';
import { ERROR_MESSAGE, SUMMARY } from '#platform/db/run-columns.ts';

export type Passage = { documentId: string; title: string; heading: string; excerpt: string };
export type MessageRow = {
  id: string;
  conversationId: string;
  author: MessageAuthor;
  authorName: string;
  content: string;
  passages: Passage[];
  at: Date;
  workflowId: string | null;
  agentName: string;
  templateName: string | null;
  executionId: string | null;
  executionStatus: string | null;
  tone: RunTone | null;
  /** Null without a run, and once its contents are no longer shown. */
  summary: string | null;
  errorCode: string | null;
  errorMessage: string | null;
};

const COLUMNS = `m.id, m.conversation_id, m.author, m.author_name, m.content, m.passages, m.at, t.workflow_id,
  coalesce(w.name, 'Removed agent') as agent_name, w.template_name, e.id as execution_id, e.status as execution_status, e.tone, ${SUMMARY}, e.error_code, ${ERROR_MESSAGE}`;
/** The agent of a turn is shown with its reply, or with the visitor's message while there is no reply: also when a person replied first. */
const RUN = `left join lateral (
    select o.* from conversation_turn o where o.conversation_id = m.conversation_id and o.workflow_id is not null and (
      (m.author = 'bot' and o.id = m.turn_id)
      or (m.author = 'visitor' and o.upto_message_id = m.id and not exists (select from conversation_message r where r.turn_id = o.id and r.author = 'bot')))
    order by o.id desc limit 1) t on true
  left join workflow w on w.id = t.workflow_id left join execution e on e.partner_id = t.partner_id and e.id = t.execution_id`;

/** Returns one page of a thread, newest first, with the run behind each. */
export async function listMessageRows(tx: Tx, conversationId: string, before: string | null, limit: number): Promise<MessageRow[]> {
  return runStatement<'inbox_messages', MessageRow>(tx, {
    name: 'inbox_messages',
    text: `select ${COLUMNS} from (
        select * from conversation_message where conversation_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3
      ) m ${RUN} order by m.id desc`,
    values: [conversationId, before, limit],
  });
}

/** Returns messages by their ids, oldest first. */
export async function findMessageRows(tx: Tx, ids: readonly string[]): Promise<MessageRow[]> {
  return runStatement<'inbox_find_messages', MessageRow>(tx, {
    name: 'inbox_find_messages',
    text: `select ${COLUMNS} from conversation_message m ${RUN} where m.id = any($1::uuid[]) order by m.id`,
    values: [[...ids]],
  });
}

/** Returns messages in scope after a place, oldest first, for a stream that resumes. */
export async function listMessagesAfter(
  tx: Tx,
  scope: { partnerId: string | null; clientId?: string | undefined },
  after: Place,
  limit: number,
): Promise<MessageRow[]> {
  return runStatement<'inbox_messages_after', MessageRow>(tx, {
    name: 'inbox_messages_after',
    prepare: false,
    text: `select ${COLUMNS} from (
        select * from conversation_message where ($1::uuid is null or partner_id = $1) and ($2::uuid is null or client_id = $2)
          and id >= uuid_floor($3) and (at, id) > ($3, $4::uuid)
        order by at, id limit $5
      ) m ${RUN} order by m.at, m.id`,
    values: [scope.partnerId, scope.clientId ?? null, after.time, after.id, limit],
  });
}

export type UsageRow = {
  aiCalls: number;
  inputTokens: number;
  outputTokens: number;
  aiCredits: number;
  runs: number;
  runCredits: number;
};

/** Returns the cost of a conversation: its calls of language models and its agents. */
export async function readUsage(tx: Tx, conversationId: string): Promise<UsageRow> {
  const [row] = await runStatement<'inbox_usage', UsageRow>(tx, {
    name: 'inbox_usage',
    prepare: false,
    text: `select a.ai_calls, a.input_tokens, a.output_tokens, a.ai_credits, e.runs, e.run_credits
      from (select count(*)::int as ai_calls, coalesce(sum(a.input_tokens), 0)::int as input_tokens, coalesce(sum(a.output_tokens), 0)::int as output_tokens,
          coalesce(sum(a.credits_charged), 0)::int as ai_credits
        from conversation c join ai_call a on a.conversation_id = c.id and a.id >= uuid_floor(c.started_at - interval '1 minute') and a.status = 'settled' where c.id = $1) a,
        (select count(*)::int as runs, coalesce(sum(e.credits_charged), 0)::int as run_credits
        from conversation_turn t join execution e on e.partner_id = t.partner_id and e.id = t.execution_id where t.conversation_id = $1) e`,
    values: [conversationId],
  });
  return row ?? { aiCalls: 0, inputTokens: 0, outputTokens: 0, aiCredits: 0, runs: 0, runCredits: 0 };
}
