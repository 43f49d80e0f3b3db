import type { AgentSchedule } from '@partner-portal/contract/records/schedule.ts';
import type { ClientStatus } from '@partner-portal/contract/vocabulary.ts';
import type { DateOrder } from '@partner-portal/core/template/input.ts';
import { KEPT_PAGE_MAX, LAST_ID } from '#platform/db/kept-page.ts';
import { containing } from '#platform/db/like.ts';
import { runStatement, type TypedStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import { SCHEDULE, SCHEDULE_JOIN } from '#schema/schedule-columns.ts';

export type AgentRow = {
  id: string;
  partnerId: string;
  partnerName: string;
  clientId: string | null;
  clientName: string | null;
  clientStatus: ClientStatus | null;
  /** Time zone of the client, or of the partner for an agent without client. */
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
  eventIdFrom: { header: string } | { input: string } | null;
  dateOrder: DateOrder | null;
  installed: boolean;
  plannedWaiting: number;
  plannedNextAt: Date | null;
  schedule: AgentSchedule | null;
  createdAt: Date;
  updatedAt: Date;
};

const HEALTH = `agent_health(w.provider_flow_id, w.is_active, w.consecutive_failures, w.last_run_at, r.failure_streak, r.silent_days, awaited_from(w.id, w.partner_id, w.on_since, w.last_run_at))`;
const COLUMNS = `w.id, w.partner_id, p.name as partner_name, w.client_id, c.name as client_name, c.status as client_status, coalesce(c.timezone, p.timezone) as timezone, c.business_profile, w.name, w.description, w.template_name, w.template_version, w.is_active,
  ${HEALTH} as health, w.config, w.last_run_at, coalesce(h.runs, 0) as "runs30d", coalesce(h.failures, 0) as "failures30d", w.credits_per_run, w.client_can_pause, w.event_id_from, w.date_order,
  w.provider_flow_id is not null as installed, coalesce(n.waiting, 0) as planned_waiting, n.next_at as planned_next_at, ${SCHEDULE}, w.created_at, w.updated_at`;
const RULES = `left join alert_rules r on r.partner_id = w.partner_id`;
const BESIDE = `join partner p on p.id = w.partner_id left join client c on c.id = w.client_id ${RULES} ${SCHEDULE_JOIN}
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

/** The words of a search: within an agency also those of the client's name. */
const NAME = `w.name ilike all($5::text[])`;
const NAME_OR_CLIENT = `concat_ws(' ', w.name, (select n.name from client n where n.id = w.client_id)) ilike all($5::text[])`;
/** The first conditions of `agent_health` again, for indexes. */
const MATCHING = `($1::uuid is null or w.partner_id = $1) and ($2::uuid is null or w.client_id = $2) and ($3::text is null or ${HEALTH} = $3)
  and ($3 is distinct from 'not_installed' or w.provider_flow_id is null) and ($3 is distinct from 'paused' or not w.is_active)
  and ($3 is distinct from 'failing' or w.has_failures) and ($3 is distinct from 'silent' or w.last_run_day <= (select silent_by_day()))
  and ($4::text is null or w.template_name = $4) and ($6::uuid is null or w.id < $6)`;

/** Returns one page, newest first. */
export async function listAgentRows(tx: Tx, filters: AgentFilters, before: string | null, limit: number): Promise<AgentRow[]> {
  const { partnerId, q, ...others } = filters;
  const patterns = q ? q.split(/\s+/).filter(Boolean).map(containing) : null;
  const isPlain = patterns === null && Object.values(others).every((one) => one === undefined);
  if (partnerId !== null && limit <= KEPT_PAGE_MAX && isPlain) return listOfAgency(tx, partnerId, before ?? LAST_ID, limit);
  const { clientId = null, health = null, templateName = null } = others;
  const values = [partnerId, clientId, health, templateName, patterns, before, limit] as const;
  const mayBeRare = patterns !== null || health === 'failing' || health === 'silent';
  if (mayBeRare && partnerId === null) return searchAgentRows(tx, values);
  return runStatement<'agents_list_agent_rows', AgentRow>(tx, {
    name: 'agents_list_agent_rows',
    prepare: false,
    text: `select ${COLUMNS} from (select w.* from workflow w ${RULES} where ${MATCHING} and ($5::text[] is null or ${NAME_OR_CLIENT}) order by w.id desc limit $7) w ${BESIDE} order by w.id desc`,
    values,
  });
}

/** What a page asks for first. */
async function listOfAgency(tx: Tx, partnerId: string, before: string, limit: number): Promise<AgentRow[]> {
  return runStatement<'agents_page_of_agency', AgentRow>(tx, {
    name: 'agents_page_of_agency',
    text: `select ${COLUMNS} from (select n.* from (
        select w.* from workflow w where w.partner_id = $1 and w.id < $2 order by w.id desc limit ${KEPT_PAGE_MAX}
      ) n limit $3) w ${BESIDE} order by w.id desc`,
    values: [partnerId, before, limit],
  });
}

/** Newest agents that staff's search compares one by one before it asks an index, of texts or of failing and silent agents, whose rows are read and sorted. */
const NEAR = 2_000;

/** Searches the agents of all agencies: among the newest first, then by an index. Left to choose, the planner walks all agents for a condition that none meets. */
async function searchAgentRows(tx: Tx, values: NonNullable<TypedStatement<'agents_search_all'>['values']>): Promise<AgentRow[]> {
  return runStatement<'agents_search_all', AgentRow>(tx, {
    name: 'agents_search_all',
    prepare: false,
    text: `with near as materialized (
        select w.* from (select w.* from workflow w where $6::uuid is null or w.id < $6 order by w.id desc limit ${NEAR}) w ${RULES}
        where ${MATCHING} and ($5::text[] is null or ${NAME}) order by w.id desc limit $7
      ), far as materialized (
        select w.* from workflow w ${RULES} where (select count(*) from near) < $7 and ${MATCHING} and ($5::text[] is null or ${NAME}) offset 0
      )
      select ${COLUMNS} from (
        select n.* from near n where (select count(*) from near) >= $7 union all select f.* from (select f.* from far f order by f.id desc limit $7) f
      ) w ${BESIDE} order by w.id desc`,
    values,
  });
}

export async function findAgent(tx: Tx, id: string): Promise<AgentRow | undefined> {
  const [row] = await runStatement<'agents_find_agent', AgentRow>(tx, {
    name: 'agents_find_agent',
    text: `select ${COLUMNS} from workflow w ${BESIDE} where w.id = $1`,
    values: [id],
  });
  return row;
}

/** Locks the row until the transaction ends, so that changes are made one after the other. */
export async function lockAgent(tx: Tx, id: string): Promise<boolean> {
  const rows = await runStatement<'agents_lock_agent'>(tx, {
    name: 'agents_lock_agent',
    text: 'select 1 from workflow where id = $1 for no key update',
    values: [id],
  });
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

const INSERT = `insert into workflow (partner_id, client_id, template_name, name, config, credits_per_run) values ($1, $2, $3, $4, $5, $6)`;

function rowOf({ partnerId, clientId, templateName, name, config, creditsPerRun }: NewAgent) {
  return [partnerId, clientId, templateName, name, JSON.stringify(config), creditsPerRun] as const;
}

/** Returns the new agent's id; undefined when this partner or client already has one of this template. */
export async function insertAgent(tx: Tx, agent: NewAgent): Promise<string | undefined> {
  const [row] = await runStatement<'agents_insert_agent', { id: string }>(tx, {
    name: 'agents_insert_agent',
    text: `${INSERT} on conflict do nothing returning id`,
    values: rowOf(agent),
  });
  return row?.id;
}

/** Adds the agent, whose other texts are `texts`, or updates the settings of the present one unless `keepSettings`. Returns its id. */
export async function addOrSetAgent(
  tx: Tx,
  agent: NewAgent,
  { texts, keepSettings }: { texts: Readonly<Record<string, unknown>>; keepSettings: boolean },
): Promise<string> {
  const [row] = await runStatement<'agents_add_or_set_agent', { id: string }>(tx, {
    name: 'agents_add_or_set_agent',
    text: `${INSERT} on conflict (partner_id, client_id, template_name) do update
      set config = case when $7::boolean then workflow.config else workflow.config || $8::jsonb end returning id`,
    values: [...rowOf({ ...agent, config: { ...texts, ...agent.config } }), keepSettings, JSON.stringify(agent.config)],
  });
  if (!row) throw new Error('An agent was not added.');
  return row.id;
}

export type AgentChange = {
  name?: string | undefined;
  isActive?: boolean | undefined;
  config?: Record<string, unknown> | undefined;
  clientCanPause?: boolean | undefined;
  eventIdFrom?: AgentRow['eventIdFrom'] | undefined;
  dateOrder?: AgentRow['dateOrder'] | undefined;
};

export async function changeAgent(tx: Tx, id: string, change: AgentChange): Promise<void> {
  const { name = null, isActive = null, config, clientCanPause = null, eventIdFrom, dateOrder } = change;
  await runStatement(tx, {
    name: 'agents_change_agent',
    text: `update workflow set name = coalesce($2, name), is_active = coalesce($3, is_active), config = coalesce($4::jsonb, config), client_can_pause = coalesce($5, client_can_pause),
        event_id_from = case when $6::boolean then $7::jsonb else event_id_from end, date_order = case when $8::boolean then $9::text else date_order end,
        updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
      where id = $1`,
    values: [
      id,
      name,
      isActive,
      config === undefined ? null : JSON.stringify(config),
      clientCanPause,
      eventIdFrom !== undefined,
      eventIdFrom ? JSON.stringify(eventIdFrom) : null,
      dateOrder !== undefined,
      dateOrder ?? null,
    ],
  });
}
