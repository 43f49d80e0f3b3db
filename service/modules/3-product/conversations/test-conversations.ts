import { adHoc } from '@partner-portal/tests/harness/ad-hoc.ts';
import type { TestService } from '@partner-portal/tests/harness/service.ts';
import type { World } from '@partner-portal/tests/harness/world.ts';
import { runStatement } from '#platform/db/statements.ts';

/** Rows that a visitor and a chatbot would have written, for tests of those who read them. */

type Row = { id: string };

export type NewConversation = {
  clientId?: string;
  partnerId?: string;
  label?: string;
  status?: 'open' | 'handed_off' | 'closed';
  /** Minutes since its last message; 0 when left out. */
  agoMinutes?: number;
  /** Texts of the visitor and the chatbot in turn. */
  texts?: readonly string[];
  waiting?: boolean;
};

/** Adds a chatbot of the client unless it has one. */
export async function addChatbot(service: TestService, partnerId: string, clientId: string): Promise<string> {
  const [row] = await rows<Row>(
    service,
    `insert into chatbot (partner_id, client_id, is_active, name, greeting, provider, model) values ($1, $2, true, 'Assistant', 'Hello.', 'openai', 'test')
      on conflict (client_id) do update set name = excluded.name returning id`,
    [partnerId, clientId],
  );
  return row?.id ?? '';
}

/** Adds a conversation with its messages and answers its id. */
export async function addConversation(service: TestService, given: NewConversation = {}): Promise<string> {
  const world: World = service.world;
  const partnerId = given.partnerId ?? world.partnerId;
  const clientId = given.clientId ?? world.clientId;
  const chatbotId = await addChatbot(service, partnerId, clientId);
  const { status = 'open', agoMinutes = 0, texts = ['When do you open?'] } = given;
  const [row] = await rows<Row>(
    service,
    `insert into conversation (partner_id, client_id, chatbot_id, visitor_label, status, was_handed_off, handoff_reason, started_at, waiting_since, closed_at)
      values ($1, $2, $3, $4, $5::text, $5::text = 'handed_off', case when $5::text = 'handed_off' then 'visitor' end, now() - make_interval(mins => $6::int), case when $7 then now() end,
        case when $5::text = 'closed' then now() end) returning id`,
    [partnerId, clientId, chatbotId, given.label ?? 'Visitor A1B2', status, agoMinutes, given.waiting ?? false],
  );
  const id = row?.id ?? '';
  for (const [n, text] of texts.entries()) await addMessage(service, id, n % 2 === 0 ? 'visitor' : 'bot', text, agoMinutes);
  return id;
}

/** Adds a message as the saga stores it. */
export async function addMessage(
  service: TestService,
  conversationId: string,
  author: 'visitor' | 'bot',
  text: string,
  agoMinutes = 0,
  turnId: string | null = null,
): Promise<string> {
  const [row] = await rows<Row>(
    service,
    `with added as (insert into conversation_message (partner_id, client_id, conversation_id, author, content, at, turn_id)
        select partner_id, client_id, id, $2, $3, now() - make_interval(mins => $4::int), $5::uuid from conversation where id = $1 returning id, at),
      changed as (update conversation set last_message_at = a.at, last_message_author = $2, last_message_text = $3 from added a where conversation.id = $1)
      select id from added`,
    [conversationId, author, text, agoMinutes, turnId],
  );
  return row?.id ?? '';
}

/** Runs a statement of a test. */
export async function rows<R extends object>(service: TestService, text: string, values: readonly unknown[] = []): Promise<R[]> {
  return service.db.asSystem('seed', (tx) => runStatement(tx, adHoc({ text, values: [...values] }))) as Promise<R[]>; // typed by the test
}

/** Adds a turn that ran an agent, and its run. Answers both ids. */
export async function addRun(
  service: TestService,
  conversationId: string,
  { workflowId, startedAt = new Date(), error = null }: { workflowId: string; startedAt?: Date; error?: string | null },
): Promise<{ turnId: string; executionId: string }> {
  const [row] = await rows<{ turnId: string; executionId: string }>(
    service,
    `with run as (
        insert into execution (id, partner_id, client_id, workflow_id, status, source, summary, started_at, finished_at, template_version, error_code, error_message, credits_charged, credits_held, due_at)
        select uuidv7($3::timestamptz - now()), partner_id, client_id, $2, case when $4::text is null then 'SUCCEEDED' else 'FAILED' end, 'chatbot',
          case when $4::text is null then 'A text was sent' else 'Texting failed: ' || $4 end, $3, $3, 1, case when $4::text is not null then 'step_failed' end, $4, 2, 0, now()
        from conversation where id = $1 returning id, partner_id, client_id)
      insert into conversation_turn (id, partner_id, client_id, conversation_id, state, workflow_id, execution_id, started_at, finished_at)
      select uuidv7($3::timestamptz - now()), partner_id, client_id, $1, 'done', $2, id, $3, $3 from run returning id as turn_id, execution_id`,
    [conversationId, workflowId, startedAt, error],
  );
  return row ?? { turnId: '', executionId: '' };
}
