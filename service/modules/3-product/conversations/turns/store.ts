import type { JsonObject } from '@partner-portal/core/template/types.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import type { Settled, Settlement, Turn, TurnOutcome } from '../store-turn.ts';

/** How long a process may hold a turn without a sign of life. */
export const LEASE_MS = 30_000;
/** Messages of a conversation that the model reads. */
export const HISTORY_MAX = 20;

/** Takes turns over that no process holds any more, oldest first. */
export async function claimDueTurns(tx: SystemTx, worker: string, limit: number): Promise<Turn[]> {
  const turns = await runStatement<'conversations_claim_turns', Omit<Turn, 'address'>>(tx, {
    name: 'conversations_claim_turns',
    text: `with due as (select t.id from conversation_turn t where t.finished_at is null and t.due_at <= now() order by t.due_at limit $3 for update skip locked),
      taken as (
        update conversation_turn t set claimed_by = $1, due_at = now() + $2 * interval '1 millisecond', attempts = t.attempts + 1,
          state = case when t.state = 'received' then 'deciding' else t.state end
        from due where t.id = due.id returning t.*)
      select t.id, t.partner_id, t.client_id, t.conversation_id, c.chatbot_id, t.state, t.upto_message_id, t.intent, t.workflow_id, t.inputs, t.outcome,
        t.attempts, t.started_at, t.visitor, conversation_history(t.conversation_id, t.upto_message_id, $4) as history, coalesce(c.locale, k.locale) as locale
      from taken t join conversation c on c.id = t.conversation_id join client k on k.id = c.client_id`,
    values: [worker, LEASE_MS, limit, HISTORY_MAX],
  });
  return turns.map((turn) => ({ ...turn, address: null }));
}

/** Keeps turns for their process. */
export async function extendTurns(tx: SystemTx, worker: string, ids: readonly string[]): Promise<void> {
  await runStatement<'conversations_extend_turns'>(tx, {
    name: 'conversations_extend_turns',
    text: `update conversation_turn set due_at = now() + $3 * interval '1 millisecond' where id = any($2) and claimed_by = $1 and finished_at is null`,
    values: [worker, ids, LEASE_MS],
  });
}

/** Gives turns back, so that another process continues them at once. */
export async function releaseTurns(tx: SystemTx, worker: string, ids: readonly string[]): Promise<void> {
  await runStatement<'conversations_release_turns'>(tx, {
    name: 'conversations_release_turns',
    text: `update conversation_turn set due_at = now() where id = any($2) and claimed_by = $1 and finished_at is null`,
    values: [worker, ids],
  });
}

/**
 * Records the agent that a turn is about to run. Returns `lost` when another process holds the turn, `not_open` when a person took the conversation
 * over or closed it meanwhile, `too_many` when it ran its share of this hour, `other_number` when its agents have texted another number. `number`:
 * which the agent texts, E.164.
 */
export async function recordChoice(
  tx: Tx,
  worker: string,
  turn: Pick<Turn, 'id' | 'conversationId'>,
  choice: { intent: string; workflowId: string; input: JsonObject; number: string | null },
  runsMax: number,
): Promise<'recorded' | 'not_open' | 'too_many' | 'other_number' | 'lost'> {
  const [row] = await runStatement<
    'conversations_record_choice',
    { isHeld: boolean | null; isRecorded: boolean | null; isOther: boolean | null; isOpen: boolean | null }
  >(tx, {
    name: 'conversations_record_choice',
    // The conversation first, as settle_turn locks.
    text: `with known as materialized (select id, coalesce(visitor_number <> $8, false) as is_other, status = 'open' as is_open from conversation where id = $3 for update),
      held as (select t.id from known join conversation_turn t on t.conversation_id = known.id where t.id = $1 and t.claimed_by = $2 and t.state = 'deciding' for update of t),
      recent as (select count(*) as runs from conversation_turn where conversation_id = $3 and workflow_id is not null and started_at > now() - interval '1 hour'),
      recorded as (
        update conversation_turn t set state = 'running', intent = $4, workflow_id = $5, inputs = $6
        from held, recent, known where t.id = held.id and recent.runs < $7 and known.is_open and not known.is_other returning t.id),
      kept as (update conversation set visitor_number = $8 where id = $3 and visitor_number is null and $8::text is not null and exists (select from recorded))
      select exists (select from held) as is_held, exists (select from recorded) as is_recorded, (select is_other from known) as is_other,
        (select is_open from known) as is_open`,
    values: [turn.id, worker, turn.conversationId, choice.intent, choice.workflowId, JSON.stringify(choice.input), runsMax, choice.number],
  });
  if (row?.isRecorded) return 'recorded';
  if (!row?.isHeld) return 'lost';
  if (!row.isOpen) return 'not_open';
  return row.isOther ? 'other_number' : 'too_many';
}

/** Records what came of the agent's run, once. Returns false when another process holds the turn. */
export async function recordOutcome(
  tx: Tx,
  worker: string,
  turnId: string,
  run: { executionId: string | null; outcome: TurnOutcome },
): Promise<boolean> {
  const rows = await runStatement<'conversations_record_outcome'>(tx, {
    name: 'conversations_record_outcome',
    text: `update conversation_turn set state = 'composing', execution_id = $3, outcome = $4
      where id = $1 and claimed_by = $2 and state = 'running' returning id`,
    values: [turnId, worker, run.executionId, JSON.stringify(run.outcome)],
  });
  return rows.length > 0;
}

/** Ends a turn. Returns undefined when this process does not hold it any more. */
export async function settleTurn(
  tx: Tx,
  worker: string,
  turn: Pick<Turn, 'id' | 'conversationId'>,
  end: Settlement,
): Promise<Settled | undefined> {
  const [row] = await runStatement<'conversations_settle_turn', Settled>(tx, {
    name: 'conversations_settle_turn',
    text: 'select * from settle_turn($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)',
    values: [
      turn.conversationId,
      turn.id,
      worker,
      end.state,
      end.reply,
      JSON.stringify(end.passages),
      end.error,
      end.handoff,
      end.firstTokenMs,
      end.hasAnswered,
      end.hasRun,
      LEASE_MS,
      HISTORY_MAX,
    ],
  });
  return row;
}

/** An agent, with the phone number and the pages of the business it works for. */
type OwnAgent = {
  id: string;
  name: string;
  templateName: string;
  businessPhone: string | null;
  timezone: string;
  locale: string | null;
  textCountries: string[] | null;
  config: Record<string, unknown> | null;
  website: string | null;
  bookingUrl: string | null;
  reviewUrl: string | null;
  /** The agency's own domain, once it is verified. */
  host: string | null;
};

/** The agents of a chatbot that can run now, in the order of its routes. */
export async function listAgents(tx: Tx, clientId: string, ids: readonly string[]): Promise<OwnAgent[]> {
  return runStatement<'conversations_agents', OwnAgent>(tx, {
    name: 'conversations_agents',
    text: `select w.id, w.name, w.template_name, c.phone as business_phone, c.timezone, c.locale, c.text_countries, w.config, c.website,
        c.business_profile->>'bookingUrl' as booking_url, c.business_profile->>'reviewUrl' as review_url,
        (select d.host from partner_domain d where d.partner_id = c.partner_id and d.status = 'verified') as host
      from workflow w join client c on c.id = $2 and c.partner_id = w.partner_id
      where w.id = any($1) and (w.client_id = c.id or w.client_id is null) and w.is_active and w.provider_flow_id is not null`,
    values: [ids, clientId],
  });
}
