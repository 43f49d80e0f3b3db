import type { AiProvider } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type Settings = {
  isActive: boolean;
  name: string;
  greeting: string;
  persona: string;
  knowledgeText: string;
  provider: AiProvider;
  model: string;
  handoffEmail: string;
  handoffPhrases: string[];
  handoffWhenUnsure: boolean;
  reminderMinutes: number;
  agentRoutes: { intent: string; workflowId: string }[];
  brandColor: string | null;
  allowedOrigins: string[];
  privacyUrl: string;
};
export type ChatbotRow = Settings & { id: string; partnerId: string; clientId: string; isAtBudget: boolean; updatedAt: Date };

const COLUMNS = `b.id, b.partner_id, b.client_id, b.is_active, b.name, b.greeting, b.persona, b.knowledge_text, b.provider, b.model, b.handoff_email,
  b.handoff_phrases, b.handoff_when_unsure, b.reminder_minutes, b.brand_color, b.allowed_origins, b.privacy_url, b.updated_at,
  chatbot_at_budget(b.id) as is_at_budget,
  coalesce((select json_agg(json_build_object('intent', r.intent, 'workflowId', r.workflow_id) order by r.n) from chatbot_route r where r.chatbot_id = b.id), '[]') as agent_routes`;

export async function findChatbotOf(tx: Tx, clientId: string): Promise<ChatbotRow | undefined> {
  const [row] = await runStatement<'chatbot_of_client', ChatbotRow>(tx, {
    name: 'chatbot_of_client',
    text: `select ${COLUMNS} from chatbot b where b.client_id = $1`,
    values: [clientId],
  });
  return row;
}

/** Locks the chatbot against other changes of its settings and knowledge until the transaction ends. */
export async function lockChatbotOf(tx: Tx, clientId: string): Promise<ChatbotRow | undefined> {
  // Its routes are read behind the lock: a statement sees what was committed before it began.
  await runStatement(tx, {
    name: 'chatbot_lock',
    prepare: false,
    text: 'select id from chatbot where client_id = $1 for no key update',
    values: [clientId],
  });
  return findChatbotOf(tx, clientId);
}

/** Creates the chatbot; false when there is one already. */
export async function insertChatbot(tx: Tx, owner: { partnerId: string; clientId: string }, settings: Settings): Promise<boolean> {
  const rows = await runStatement<'chatbot_insert'>(tx, {
    name: 'chatbot_insert',
    prepare: false,
    text: `insert into chatbot (partner_id, client_id, name, greeting, provider, model) values ($1, $2, $3, $4, $5, $6)
      on conflict (client_id) do nothing returning id`,
    values: [owner.partnerId, owner.clientId, settings.name, settings.greeting, settings.provider, settings.model],
  });
  return rows.length > 0;
}

export async function writeSettings(tx: Tx, chatbotId: string, settings: Settings): Promise<void> {
  await runStatement(tx, {
    name: 'chatbot_write',
    prepare: false,
    text: `update chatbot set is_active = $2, name = $3, greeting = $4, persona = $5, knowledge_text = $6, provider = $7, model = $8,
        handoff_email = $9, handoff_phrases = $10::text[], handoff_when_unsure = $11, reminder_minutes = $12, brand_color = $13,
        allowed_origins = $14::text[], privacy_url = $15, updated_at = greatest(now(), updated_at + interval '1 ms')
      where id = $1`,
    values: [
      chatbotId,
      settings.isActive,
      settings.name,
      settings.greeting,
      settings.persona,
      settings.knowledgeText,
      settings.provider,
      settings.model,
      settings.handoffEmail,
      settings.handoffPhrases,
      settings.handoffWhenUnsure,
      settings.reminderMinutes,
      settings.brandColor,
      settings.allowedOrigins,
      settings.privacyUrl,
    ],
  });
}

/** Replaces the routes. */
export async function writeRoutes(tx: Tx, chatbot: { id: string; partnerId: string; clientId: string }, routes: Settings['agentRoutes']) {
  await runStatement(tx, {
    name: 'chatbot_clear_routes',
    prepare: false,
    text: 'delete from chatbot_route where chatbot_id = $1',
    values: [chatbot.id],
  });
  await runStatement(tx, {
    name: 'chatbot_add_routes',
    prepare: false,
    text: `insert into chatbot_route (chatbot_id, n, partner_id, client_id, intent, workflow_id)
      select $1, r.n, $2, $3, r.intent, r.workflow_id from unnest($4::text[], $5::uuid[]) with ordinality as r (intent, workflow_id, n)`,
    values: [
      chatbot.id,
      chatbot.partnerId,
      chatbot.clientId,
      routes.map(({ intent }) => intent),
      routes.map(({ workflowId }) => workflowId),
    ],
  });
}

/** Returns those of the agents that a chatbot of the client may run: installed, its own or of the whole agency; each with its name. */
export async function listUsableAgents(
  tx: Tx,
  client: { partnerId: string; id: string },
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await runStatement<'chatbot_usable_agents', { id: string; name: string }>(tx, {
    name: 'chatbot_usable_agents',
    prepare: false,
    text: `select w.id, w.name from workflow w
      where w.id = any($3::uuid[]) and w.partner_id = $1 and (w.client_id is null or w.client_id = $2) and w.provider_flow_id is not null`,
    values: [client.partnerId, client.id, [...ids]],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Whether the plan of the partner includes the chatbot. */
export async function hasChatbotFeature(tx: Tx, partnerId: string): Promise<boolean> {
  const [row] = await runStatement<'chatbot_has_feature', { isIncluded: boolean }>(tx, {
    name: 'chatbot_has_feature',
    text: `select has_feature($1, 'chatbot') as is_included`,
    values: [partnerId],
  });
  return row?.isIncluded ?? false;
}
