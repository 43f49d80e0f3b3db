import { sql } from 'kysely';
import type { SystemTx } from '../../platform/db/tx.ts';
import type { ModelRate, PastConversation } from './make-conversations.ts';
import { hourOf, type PastRun } from './make-runs.ts';

/**
 * Writes a past in bulk: what the product writes run by run, as rows. The triggers of the ledger and of the hourly counters note the usage,
 * so that every sum follows from these rows as it does for real ones. Events, alerts, notices, mail and the audit log get none: nothing of the past happens now.
 */

/** A run by ingest may take half an hour. */
const TIMEOUT_MS = 1_800_000;
/** Rows of one statement. */
const PORTION = 2_000;

export type ChatbotOwner = { partnerId: string; clientId: string; chatbotId: string; origin: string; personName: string };

export async function writeRuns(tx: SystemTx, partnerId: string, runs: readonly PastRun[]): Promise<void> {
  for (let begin = 0; begin < runs.length; begin += PORTION) {
    const portion = runs.slice(begin, begin + PORTION);
    await insert(
      tx,
      'execution',
      portion.map((run) => executionOf(partnerId, run)),
    );
    await insert(
      tx,
      'execution_payload',
      portion.map((run) => payloadOf(partnerId, run)),
    );
    await insert(
      tx,
      'usage_entry',
      portion.flatMap((run) => entriesOf(partnerId, run)),
    );
  }
  await insert(tx, 'workflow_hour', hoursOf(partnerId, runs));
}

export async function writeConversations(
  tx: SystemTx,
  owner: ChatbotOwner,
  rate: ModelRate & { model: string },
  conversations: readonly PastConversation[],
): Promise<void> {
  await insert(
    tx,
    'conversation',
    conversations.map((one) => conversationOf(owner, one)),
  );
  await insert(
    tx,
    'conversation_message',
    conversations.flatMap((one) => messagesOf(owner, one)),
  );
  const calls = conversations.flatMap((one) => one.calls.map((call) => ({ conversation: one, call })));
  await insert(
    tx,
    'ai_call',
    calls.map(({ conversation, call }) => ({
      id: call.id,
      partner_id: owner.partnerId,
      client_id: owner.clientId,
      conversation_id: conversation.id,
      purpose: 'chatbot',
      provider: 'openai',
      model: rate.model,
      source_mode: 'platform',
      rate_id: rate.id,
      status: 'settled',
      credits_reserved: call.credits,
      input_tokens: call.inputTokens,
      output_tokens: call.outputTokens,
      credits_charged: call.credits,
      is_estimated: false,
      cost_minor: call.costMinor,
      credit_price_minor: rate.creditPriceMinor,
      currency: rate.currency,
      expires_at: call.settledAt,
      settled_at: call.settledAt,
      chatbot_id: owner.chatbotId,
      budget_held: 0,
    })),
  );
  await insert(
    tx,
    'usage_entry',
    calls.map(({ call }) => ({
      id: call.id,
      kind: 'ai_tokens',
      partner_id: owner.partnerId,
      client_id: owner.clientId,
      credits: -call.credits,
      note: `${rate.model}, ${call.inputTokens + call.outputTokens} tokens`,
      at: call.settledAt,
    })),
  );
}

type Table = 'execution' | 'execution_payload' | 'usage_entry' | 'workflow_hour' | 'conversation' | 'conversation_message' | 'ai_call';

/** A column that is left out is null. */
async function insert(tx: SystemTx, table: Table, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const name = sql.table(table);
  // Columns that the database generates are none of these tables.
  await sql`insert into ${name} select * from jsonb_populate_recordset(null::${name}, ${JSON.stringify(rows)}::jsonb)`.execute(tx);
}

function executionOf(partnerId: string, run: PastRun): object {
  return {
    id: run.id,
    partner_id: partnerId,
    client_id: run.clientId,
    workflow_id: run.workflowId,
    status: run.status,
    source: run.source,
    summary: run.summary,
    template_version: run.templateVersion,
    credits_held: run.creditsHeld,
    credits_charged: run.creditsCharged,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    due_at: new Date(run.startedAt.getTime() + TIMEOUT_MS),
    error_code: run.error?.code ?? null,
    error_message: run.error?.message ?? null,
    error_step: run.error?.stepName ?? null,
    rerun_of: run.rerunOf,
    late: false,
    extended: false,
    tone: run.tone,
    stopped: run.stopped,
  };
}

function payloadOf(partnerId: string, run: PastRun): object {
  const { id, clientId, input, output, steps } = run;
  // The engine never saw the run, so it is not asked for the times of its steps.
  return { id, partner_id: partnerId, client_id: clientId, input, output, steps, timed: true };
}

function entriesOf(partnerId: string, run: PastRun): object[] {
  return run.ledger.map(({ kind, credits, note }) => ({
    id: run.id,
    kind,
    partner_id: partnerId,
    client_id: run.clientId,
    workflow_id: run.workflowId,
    execution_id: run.id,
    credits: -credits,
    note,
    at: run.finishedAt,
  }));
}

/** The counters of each agent by the hour, as finish_executions keeps them. */
function hoursOf(partnerId: string, runs: readonly PastRun[]): object[] {
  const byKey = Map.groupBy(runs, (run) => `${run.workflowId} ${hourOf(run.startedAt)}`);
  return [...byKey.values()].flatMap((those) => {
    const [first] = those;
    if (!first) return [];
    const count = (does: (run: PastRun) => boolean): number => those.filter(does).length;
    return [
      {
        partner_id: partnerId,
        workflow_id: first.workflowId,
        client_id: first.clientId,
        hour: new Date(hourOf(first.startedAt) * 3_600_000),
        succeeded: count(({ status }) => status === 'SUCCEEDED'),
        failed: count(({ status }) => status === 'FAILED'),
        credits: sumOf(those.flatMap(({ ledger }) => ledger.map(({ credits }) => credits))),
        contacted: count(({ isContact }) => isContact),
        helped: count(({ isHelp }) => isHelp),
      },
    ];
  });
}

function conversationOf(owner: ChatbotOwner, conversation: PastConversation): object {
  const { id, visitorKey, startedAt, lastAt, isHandedOff, messages } = conversation;
  const last = messages.at(-1);
  return {
    id,
    partner_id: owner.partnerId,
    client_id: owner.clientId,
    chatbot_id: owner.chatbotId,
    visitor_label: `Visitor ${id.slice(0, 4).toUpperCase()}`,
    origin: owner.origin,
    status: 'closed',
    handoff_reason: isHandedOff ? 'unsure' : null,
    assigned_name: isHandedOff ? owner.personName : '',
    was_handed_off: isHandedOff,
    was_answered: true,
    started_at: startedAt,
    last_message_at: lastAt,
    last_message_text: last?.content.slice(0, 300) ?? '',
    last_message_author: last?.author ?? null,
    closed_at: lastAt,
    updated_at: lastAt,
    version: messages.length,
    locale: 'en',
    visitor_key: visitorKey,
  };
}

function messagesOf(owner: ChatbotOwner, { id, messages }: PastConversation): object[] {
  return messages.map((message) => ({
    id: message.id,
    partner_id: owner.partnerId,
    client_id: owner.clientId,
    conversation_id: id,
    author: message.author,
    author_name: message.author === 'human' ? owner.personName : '',
    content: message.content,
    passages: [],
    at: message.at,
  }));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
