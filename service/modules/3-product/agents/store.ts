import { PLANNED_ANEW } from '#platform/db/statement-names.ts';
import { query } from '#platform/db/statements.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#platform/db/tx.ts';

export type AgentRow = {
  id: string;
  partnerId: string;
  partnerName: string;
  clientId: string | null;
  clientName: string | null;
  /** Of the client, or of the partner for an agent without client. */
  timezone: string;
  businessProfile: Record<string, string> | null;
  name: string;
  description: string;
  templateName: string;
  templateVersion: number | null;
  isActive: boolean;
  health: string;
  config: Record<string, unknown>;
  lastRunAt: Date | null;
  runs30d: number;
  failures30d: number;
  creditsPerRun: number;
  clientCanPause: boolean;
  installed: boolean;
  plannedWaiting: number;
  plannedNextAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

const HEALTH = sql`agent_health(w.provider_flow_id, w.is_active, w.consecutive_failures, w.last_run_at, r.failure_streak, r.silent_days)`;
const COLUMNS = sql`w.id, w.partner_id, p.name as partner_name, w.client_id, c.name as client_name, coalesce(c.timezone, p.timezone) as timezone, c.business_profile, w.name, w.description, w.template_name, w.template_version, w.is_active,
  ${HEALTH} as health, w.config, w.last_run_at, coalesce(h.runs, 0) as "runs30d", coalesce(h.failures, 0) as "failures30d", w.credits_per_run, w.client_can_pause,
  w.provider_flow_id is not null as installed, coalesce(n.waiting, 0) as planned_waiting, n.next_at as planned_next_at, w.created_at, w.updated_at`;
const RULES = sql`left join alert_rules r on r.partner_id = w.partner_id`;
const BESIDE = sql`join partner p on p.id = w.partner_id left join client c on c.id = w.client_id ${RULES}
  left join lateral (select sum(n.succeeded + n.failed)::int as runs, sum(n.failed)::int as failures from workflow_hour n
    where n.partner_id = w.partner_id and n.workflow_id = w.id and n.hour >= now() - interval '30 days') h on true
  left join lateral (select count(*)::int as waiting, min(x.due_at) as next_at from planned_run x where x.workflow_id = w.id and x.try_at is not null) n on true`;

export type AgentFilters = {
  partnerId: string | null;
  clientId?: string | undefined;
  health?: string | undefined;
  templateName?: string | undefined;
  q?: string | undefined;
};

export async function listAgentRows(tx: Tx, filters: AgentFilters, before: string | null, limit: number): Promise<AgentRow[]> {
  const all: RawBuilder<unknown>[] = [sql`true`];
  if (filters.partnerId !== null) all.push(sql`w.partner_id = ${filters.partnerId}::uuid`);
  if (filters.clientId !== undefined) all.push(sql`w.client_id = ${filters.clientId}::uuid`);
  if (filters.health !== undefined) all.push(sql`${HEALTH} = ${filters.health}`);
  // What agent_health asks first, for indexes.
  if (filters.health === 'not_installed') all.push(sql`w.provider_flow_id is null`);
  if (filters.health === 'paused') all.push(sql`not w.is_active`);
  if (filters.health === 'failing') all.push(sql`w.has_failures`);
  if (filters.health === 'silent') all.push(sql`w.last_run_day <= (select silent_by_day())`);
  if (filters.templateName !== undefined) all.push(sql`w.template_name = ${filters.templateName}`);
  if (filters.q) all.push(sql`w.name ilike ${`%${filters.q.replace(/[\\%_]/g, '\\$&')}%`}`);
  if (before !== null) all.push(sql`w.id < ${before}::uuid`);
  const mayBeRare = Boolean(filters.q) || filters.health === 'failing' || filters.health === 'silent';
  if (mayBeRare && filters.partnerId === null) return searchAgentRows(tx, all, before, limit);
  const { rows } = await query<
    'agents_list_agent_rows',
    AgentRow
  >`select ${COLUMNS} from (select w.* from workflow w ${RULES} where ${sql.join(all, sql` and `)} order by w.id desc limit ${limit}) w ${BESIDE} order by w.id desc`.execute(
    tx,
  );
  return rows;
}

/** Newest agents that staff's search compares one by one before it asks an index, of texts or of failing and silent agents, whose rows are read and sorted. */
const NEAR = 2_000;

/** Searches the agents of all agencies: among the newest first, then by an index. Left to choose, the planner walks all agents for a condition that none meets. */
async function searchAgentRows(
  tx: Tx,
  matching: readonly RawBuilder<unknown>[],
  before: string | null,
  limit: number,
): Promise<AgentRow[]> {
  const matches = sql.join(matching, sql` and `);
  const { rows } = await query<'agents_search_all', AgentRow>`${PLANNED_ANEW}with near as materialized (
      select w.* from (select w.* from workflow w where ${before}::uuid is null or w.id < ${before}::uuid order by w.id desc limit ${sql.lit(NEAR)}) w ${RULES}
      where ${matches} order by w.id desc limit ${limit}
    ), far as materialized (
      select w.* from workflow w ${RULES} where (select count(*) from near) < ${limit} and ${matches} offset 0
    )
    select ${COLUMNS} from (
      select n.* from near n where (select count(*) from near) >= ${limit} union all select f.* from (select f.* from far f order by f.id desc limit ${limit}) f
    ) w ${BESIDE} order by w.id desc`.execute(tx);
  return rows;
}

export async function findAgent(tx: Tx, id: string): Promise<AgentRow | undefined> {
  const { rows } = await query<'agents_find_agent', AgentRow>`select ${COLUMNS} from workflow w ${BESIDE} where w.id = ${id}::uuid`.execute(
    tx,
  );
  return rows[0];
}

/** Locks the row until the transaction ends, so that changes are made one after the other. */
export async function lockAgent(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await query<'agents_lock_agent'>`select 1 from workflow where id = ${id}::uuid for no key update`.execute(tx);
  return rows.length > 0;
}

export type NewAgent = {
  partnerId: string;
  clientId: string | null;
  templateName: string;
  name: string;
  config: Record<string, unknown>;
  creditsPerRun: number;
};

/** Returns the new agent's id; undefined when this partner or client already has one of this template. */
export async function insertAgent(tx: Tx, agent: NewAgent): Promise<string | undefined> {
  const { rows } = await query<
    'agents_insert_agent',
    { id: string }
  >`insert into workflow (partner_id, client_id, template_name, name, config, credits_per_run)
    values (${agent.partnerId}::uuid, ${agent.clientId}::uuid, ${agent.templateName}, ${agent.name}, ${JSON.stringify(agent.config)}::jsonb, ${agent.creditsPerRun})
    on conflict do nothing returning id`.execute(tx);
  return rows[0]?.id;
}

/** Adds the agent or updates its settings. Returns its id. */
export async function addOrSetAgent(tx: Tx, agent: NewAgent): Promise<string> {
  const { rows } = await query<
    'agents_add_or_set_agent',
    { id: string }
  >`insert into workflow (partner_id, client_id, template_name, name, config, credits_per_run)
    values (${agent.partnerId}::uuid, ${agent.clientId}::uuid, ${agent.templateName}, ${agent.name}, ${JSON.stringify(agent.config)}::jsonb, ${agent.creditsPerRun})
    on conflict (partner_id, client_id, template_name) do update set config = workflow.config || excluded.config returning id`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('An agent was not added.');
  return row.id;
}

export type AgentChange = {
  name?: string | undefined;
  isActive?: boolean | undefined;
  config?: Record<string, unknown> | undefined;
  clientCanPause?: boolean | undefined;
};

export async function changeAgent(tx: Tx, id: string, change: AgentChange): Promise<void> {
  const config = change.config === undefined ? null : JSON.stringify(change.config);
  await query<'agents_change_agent'>`update workflow set name = coalesce(${change.name ?? null}, name), is_active = coalesce(${change.isActive ?? null}::boolean, is_active),
      config = coalesce(${config}::jsonb, config), client_can_pause = coalesce(${change.clientCanPause ?? null}::boolean, client_can_pause),
      updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
    where id = ${id}::uuid`.execute(tx);
}
