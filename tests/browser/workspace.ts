import { DEMO, type DemoClient } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { expect } from '@playwright/test';
import type { System } from '../harness/system.ts';

/** A row of a table, as `to_jsonb` writes it. */
type Row = Record<string, unknown>;
type Rows = Record<string, Row[]>;

/** What people add at the demo agency; each table is listed before those that its rows refer to. */
const ADDED = {
  saved_filter: ['user_id', 'id'],
  notification_preference: ['user_id', 'type'],
  alert_recipient: ['user_id'],
  alert_rules: ['partner_id'],
  report_mail: ['client_id', 'month', 'user_id'],
  report_subscription: ['client_id', 'user_id'],
  canned_reply: ['id'],
  opt_out: ['id'],
  text_suggestion: ['id'],
  agent_request: ['id'],
  conversation: ['id'],
  plan_request: ['id'],
  invitation: ['id'],
} satisfies Record<string, string[]>;

/** What people set there. */
const SET = {
  partner: ['name', 'brand_color', 'support_email', 'website', 'timezone', 'logo_url', 'logo_media_id'],
  client: ['name', 'contact_name', 'contact_email', 'phone', 'website', 'timezone', 'industry', 'notes', 'business_profile', 'locale']
    .concat('text_countries', 'first_contacts_per_hour', 'created_at'), // prettier-ignore
  app_user: ['full_name', 'status', 'partner_role', 'locale', 'timezone', 'theme'],
  subscription: [
    'plan_id',
    'purchased_seats',
    'granted_seats',
    'overrides',
    'pending_seat_release',
    'pending_plan_id',
    'pending_overrides',
  ],
  partner_quota: ['thresholds', 'chat_share_percent', 'chat_conversation_credits', 'chat_visitor_credits', 'chatbot_credits'],
  report_subscription: ['is_subscribed'],
  notification_preference: ['in_app', 'email'],
  alert_rules: ['failure_streak', 'silent_days'],
} satisfies Record<string, string[]>;

/** Tables with more behind a row: flows in the engine, keys, an index of words. They are put back through the API. */
const BY_API = ['workflow', 'chatbot', 'chatbot_route', 'webhook_endpoint', 'credential', 'client'] as const;

const TABLES = [...new Set([...Object.keys(ADDED), ...Object.keys(SET), ...BY_API])];

/** Puts the demo workspace back to what it was when `keepWorkspace` was called. */
export type Workspace = { restore(): Promise<void> };

/**
 * Remembers the demo workspace that the specs of a worker share. Restoring it removes agents, clients, requests, keys, endpoints, filters, conversations,
 * invitations and notifications that were added since, and puts back settings. Runs, mail, alerts and the audit log stay, and so do other agencies.
 */
export async function keepWorkspace(system: System, owner: DemoClient): Promise<Workspace> {
  const found = await system.query<{ id: string }>('select id from partner where slug = $1 or is_house', [DEMO.partner.slug]);
  const partnerIds = found.map(({ id }) => id);
  const before = await readRows(system, partnerIds);
  const [clock] = await system.query<{ at: string }>('select now()::text as at');
  return {
    async restore() {
      const now = await readRows(system, partnerIds);
      await removeThroughApi(owner, { before, now });
      await restoreAgents(owner, { before, now });
      for (const [table, key] of Object.entries(ADDED)) await deleteAdded(system, table, key, { before, now });
      await restoreChatbots(system, owner, { before, now });
      for (const [table, columns] of Object.entries(SET)) await putBack(system, table, columns, { before, now });
      // An alert of the demo may open later.
      await system.query("delete from notification where created_at > $1::timestamptz and type <> 'alert_opened'", [clock?.at]);
      await system.query("update plan_request set status = 'cancelled' where status = 'pending'");
      await system.query("update alert set status = 'open', acknowledged_at = null, acknowledged_by = null where status = 'acknowledged'");
    },
  };
}

type Compared = { before: Rows; now: Rows };

async function readRows(system: System, partnerIds: readonly string[]): Promise<Rows> {
  const members = TABLES.map(
    (table) => `'${table}', (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from ${table} t where partner_id = any($1))`,
  );
  const [read] = await system.query<{ rows: Rows }>(`select jsonb_build_object(${members.join(', ')}) as rows`, [partnerIds]);
  return read?.rows ?? {};
}

const rowsOf = (rows: Rows, table: string): Row[] => rows[table] ?? [];
const keyOf = (row: Row, key: readonly string[]): Row => Object.fromEntries(key.map((column) => [column, row[column]]));
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function added(table: string, { before, now }: Compared, key: readonly string[] = ['id']): Row[] {
  const known = new Set(rowsOf(before, table).map((row) => JSON.stringify(keyOf(row, key))));
  return rowsOf(now, table).filter((row) => !known.has(JSON.stringify(keyOf(row, key))));
}

/** Rows of `before` that differ now in one of the columns. */
function changed(table: string, { before, now }: Compared, columns: readonly string[], key: readonly string[]): Row[] {
  return rowsOf(before, table).filter((row) => {
    const other = rowsOf(now, table).find((one) => isSame(keyOf(one, key), keyOf(row, key)));
    return other !== undefined && columns.some((column) => !isSame(row[column], other[column]));
  });
}

async function removeThroughApi(owner: DemoClient, compared: Compared): Promise<void> {
  for (const { id } of added('workflow', compared)) {
    // A setup that is under way holds the agents of its agency.
    await expect(async () => owner.deleteAgent({ params: { id: String(id) } })).toPass({ timeout: 120_000 });
  }
  for (const { id, deleted_at } of added('webhook_endpoint', compared))
    if (deleted_at === null) await owner.deleteWebhook({ params: { id: String(id) } });
  for (const { provider, client_id } of added('credential', compared)) {
    const query = client_id === null ? {} : { clientId: String(client_id) };
    await owner.deleteCredential({ params: { provider: String(provider) }, query });
  }
  for (const { id, status } of added('client', compared))
    if (status === 'active') await owner.archiveClient({ params: { id: String(id) } });
}

async function restoreAgents(owner: DemoClient, compared: Compared): Promise<void> {
  for (const { id, name, config, is_active, client_can_pause } of changed(
    'workflow',
    compared,
    ['name', 'config', 'is_active', 'client_can_pause'],
    ['id'],
  ))
    // prettier-ignore
    await owner.updateAgent({
      params: { id: String(id) },
      // As the service wrote them.
      body: { name, config, isActive: is_active, clientCanPause: client_can_pause } as Parameters<typeof owner.updateAgent>[0]['body'],
    });
}

const CHATBOT = ['is_active', 'name', 'greeting', 'persona', 'knowledge_text', 'provider', 'model', 'handoff_email', 'handoff_phrases']
  .concat('handoff_when_unsure', 'reminder_minutes', 'brand_color', 'allowed_origins', 'privacy_url'); // prettier-ignore

/** Deletes added chatbots; those of the demo get their settings back, and answer from their own knowledge again. */
async function restoreChatbots(system: System, owner: DemoClient, compared: Compared): Promise<void> {
  await deleteAdded(system, 'chatbot', ['id'], compared);
  const routesOf = (rows: Rows, id: unknown): Row[] => rowsOf(rows, 'chatbot_route').filter(({ chatbot_id }) => chatbot_id === id);
  const differs = changed('chatbot', compared, CHATBOT, ['id']);
  for (const chatbot of rowsOf(compared.before, 'chatbot')) {
    const routes = routesOf(compared.before, chatbot['id']);
    if (!differs.includes(chatbot) && isSame(routes, routesOf(compared.now, chatbot['id']))) continue;
    const clientId = String(chatbot['client_id']);
    const settings = Object.fromEntries(
      CHATBOT.map((column) => [column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()), chatbot[column]]),
    );
    const agentRoutes = routes.map(({ intent, workflow_id }) => ({ intent: String(intent), workflowId: String(workflow_id) }));
    await owner.changeChatbot({ body: { clientId, ...settings, agentRoutes } });
    await expect
      .poll(async () => (await owner.listKnowledge({ query: { clientId } })).filter(({ status }) => status === 'pending'))
      .toEqual([]);
  }
}

async function deleteAdded(system: System, table: string, key: readonly string[], compared: Compared): Promise<void> {
  const keys = added(table, compared, key).map((row) => JSON.stringify(keyOf(row, key)));
  if (keys.length > 0) await system.query(`delete from ${table} t where to_jsonb(t) @> any($1::jsonb[])`, [keys]);
}

async function putBack(system: System, table: string, columns: readonly string[], compared: Compared): Promise<void> {
  const key = table in ADDED ? ADDED[table as keyof typeof ADDED] : [table === 'partner_quota' ? 'partner_id' : 'id']; // one of its members
  const list = columns.join(', ');
  for (const row of changed(table, compared, columns, key))
    await system.query(
      `update ${table} t set (${list}) = (select ${list} from jsonb_populate_record(null::${table}, $1::jsonb)) where to_jsonb(t) @> $2::jsonb`,
      [JSON.stringify(row), JSON.stringify(keyOf(row, key))],
    );
}
