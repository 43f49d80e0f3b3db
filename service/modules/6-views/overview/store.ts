import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx } from '#platform/db/tx.ts';

/** The partner, narrowed to one client unless `clientId` is null. */
export type OverviewScope = { partnerId: string; clientId: string | null };

/** Start of today, of the same day last week and of the month, in the partner's time zone. */
const DAYS = `days as materialized (
  select tz, date_trunc('day', now() at time zone tz) at time zone tz as today,
    (date_trunc('day', now() at time zone tz) - interval '7 days') at time zone tz as week_ago,
    (date_trunc('day', now() at time zone tz) - interval '6 days') at time zone tz as week_ago_end,
    date_trunc('month', now() at time zone tz) at time zone tz as month
  from partner p, known_zone(p.timezone) as tz where p.id = $1)`;

/**
 * The rule of the function `agent_health` in parts: thousands of agents are compared with two values that are read once. An agency has one row of rules, or
 * none.
 */
export const IS_ON = 'w.is_active and w.provider_flow_id is not null';
export const FAILURE_STREAK = `select coalesce(max(r.failure_streak), default_failure_streak()) from alert_rules r where r.partner_id = $1`;
export const SILENT_SINCE = `select now() - make_interval(days => coalesce(max(r.silent_days), default_silent_days())) from alert_rules r where r.partner_id = $1`;

/** A condition of its own for one client: with one for both, the plan that the server keeps looks at all rows of the agency. */
export function narrowed(column: string, scope: OverviewScope): string {
  return scope.clientId === null ? '$2::uuid is null' : `${column} = $2::uuid`;
}

export type HourRow = { hour: number; isToday: boolean; runs: number; succeeded: number; failed: number; contacted: number; byNow: number };

/** Returns the executions of today and of the same weekday a week ago by the hour: from the sums of the agency, or the counters of a client's agents. */
export async function hoursOfDay(tx: TenantTx, scope: OverviewScope): Promise<HourRow[]> {
  return runStatement<'summary_hours' | 'summary_hours_of_client', HourRow>(tx, {
    name: scope.clientId === null ? 'summary_hours' : 'summary_hours_of_client',
    text: `with ${DAYS}
      select extract(hour from h.hour at time zone d.tz)::int as hour, h.hour >= d.today as is_today, sum(h.succeeded + h.failed)::int as runs,
        sum(h.succeeded)::int as succeeded, sum(h.failed)::int as failed, sum(h.contacted)::int as contacted,
        coalesce(sum(h.succeeded + h.failed) filter (where h.hour <= now() - interval '7 days'), 0)::int as by_now
      from days d cross join lateral ${
        scope.clientId === null
          ? `(select u.* from usage_of($1, d.week_ago, 'infinity') u where u.counter = 'ended_runs' and $2::uuid is null)`
          : `(select w.* from workflow_hour w where w.partner_id = $1 and w.client_id = $2::uuid and w.hour >= d.week_ago)`
      } h
      where h.hour >= d.today or h.hour < d.week_ago_end
      group by 1, 2`,
    values: [scope.partnerId, scope.clientId],
  });
}

/** `templateName`: null for an agent that is neither installed nor among the removed ones. */
export type TemplateRow = { templateName: string | null; today: number; month: number };

/** Returns successful executions by template, today and this month, those of removed agents included: the basis of hours saved. */
export async function successesByTemplate(tx: TenantTx, scope: OverviewScope): Promise<TemplateRow[]> {
  return runStatement<'summary_templates' | 'summary_templates_of_client', TemplateRow>(tx, {
    name: scope.clientId === null ? 'summary_templates' : 'summary_templates_of_client',
    text: `with ${DAYS}
      select coalesce(w.template_name, r.template_name) as template_name, sum_bigint(n.today)::int as today, sum_bigint(n.month)::int as month
      from (select h.workflow_id, sum_bigint(h.today) as today, sum_bigint(h.month) as month from days d cross join lateral (
        ${
          scope.clientId === null
            ? `select m.workflow_id, 0 as today, m.helped as month from usage_of_agents($1, d.month, 'infinity', true) m where $2::uuid is null
               union all select t.workflow_id, t.helped, 0 from usage_of_agents($1, d.today, 'infinity', true) t where $2::uuid is null`
            : `select m.workflow_id, case when m.hour >= d.today then m.helped else 0 end, m.helped from workflow_hour m
               where m.partner_id = $1 and m.client_id = $2::uuid and m.hour >= d.month`
        }) as h(workflow_id, today, month) group by 1) n
      left join workflow w on w.partner_id = $1 and w.id = n.workflow_id left join agent_removal r on r.partner_id = $1 and r.workflow_id = n.workflow_id group by 1`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type CountsRow = {
  timezone: string;
  clients: number;
  agents: number;
  agentsOn: number;
  agentsFailing: number;
  running: number;
  failureCauses: number;
  /** The end of the agency's sample data. */
  sampleDataEndsAt: Date | null;
};

/** Returns the counts behind the figures; undefined when the partner does not exist. Agents of archived clients are none of them, those of suspended ones are not on. */
export async function countAll(tx: TenantTx, scope: OverviewScope): Promise<CountsRow | undefined> {
  const [row] = await runStatement<'summary_counts' | 'summary_counts_of_client', CountsRow>(tx, {
    name: scope.clientId === null ? 'summary_counts' : 'summary_counts_of_client',
    text: `with ${DAYS}
      select d.tz as timezone, (select s.ends_at from sample_data s where s.partner_id = $1) as sample_data_ends_at,
        (select count(*)::int from client c where c.partner_id = $1 and c.status in ('active', 'suspended') and ${narrowed('c.id', scope)}) as clients,
        a.agents, a.agents_on, a.agents_failing,
        (select count(*)::int from execution e where e.partner_id = $1 and e.status = 'RUNNING' and e.due_at > now() - interval '1 day' and ${narrowed('e.client_id', scope)}) as running,
        (select count(distinct (e.workflow_id, e.error_code))::int from execution e
          where e.partner_id = $1 and e.status = 'FAILED' and e.id >= uuid_floor(d.today) and ${narrowed('e.client_id', scope)}) as failure_causes
      from days d cross join (
        ${
          scope.clientId === null
            ? `select n.agents - o.gone as agents, n.agents - n.off - o.idle as agents_on, n.agents_failing from (select
                (select count(*)::int from workflow w where w.partner_id = $1 and $2::uuid is null) as agents,
                (select count(*)::int from workflow w where w.partner_id = $1 and (not w.is_active or w.provider_flow_id is null)) as off,
                (select count(*)::int from workflow w where w.partner_id = $1 and w.has_failures and ${IS_ON} and w.consecutive_failures >= (${FAILURE_STREAK})
                  and not exists (select from client k where k.id = w.client_id and k.status <> 'active')) as agents_failing offset 0) n
              cross join (select count(*) filter (where k.status <> 'suspended')::int as gone, count(*) filter (where ${IS_ON})::int as idle
                from client k join workflow w on w.partner_id = $1 and w.client_id = k.id where k.partner_id = $1 and k.status <> 'active') o`
            : `select count(*) filter (where k.status in ('active', 'suspended'))::int as agents, count(*) filter (where ${IS_ON} and k.status = 'active')::int as agents_on,
                count(*) filter (where ${IS_ON} and k.status = 'active' and w.consecutive_failures >= (${FAILURE_STREAK}))::int as agents_failing
              from workflow w join client k on k.id = w.client_id where w.partner_id = $1 and w.client_id = $2::uuid`
        }) a`,
    values: [scope.partnerId, scope.clientId],
  });
  return row;
}

export type TopClient = { id: string | null; name: string; credits: number };

/** Returns the five clients that used most credits in this period, AI tokens outside runs included. */
export async function topClients(tx: TenantTx, scope: OverviewScope): Promise<TopClient[]> {
  return runStatement<'summary_top_clients' | 'summary_top_client', TopClient>(tx, {
    name: scope.clientId === null ? 'summary_top_clients' : 'summary_top_client',
    text: `select n.client_id as id, coalesce(c.name, 'No client') as name, n.credits
      from (select u.client_id, sum_bigint(u.credits)::int as credits
        from (select date_trunc('hour', q.period_start) as since from partner_quota q where q.partner_id = $1) p
        cross join lateral ${
          scope.clientId === null
            ? `(select x.client_id, x.credits from usage_of_agents($1, p.since, 'infinity', false) x where $2::uuid is null)`
            : `(select w.client_id, w.credits::bigint from workflow_hour w where w.partner_id = $1 and w.client_id = $2::uuid and w.hour >= p.since
              union all select e.client_id, -e.credits::bigint from usage_entry e where e.partner_id = $1 and e.client_id = $2::uuid and e.kind = 'ai_tokens'
                and e.execution_id is null and e.id >= uuid_floor(p.since - interval '3 days') and e.id < uuid_floor(now() + interval '1 day 1 minute')
                and e.at >= p.since and e.at < now() + interval '1 minute')`
        } u
        group by 1 having sum_bigint(u.credits) > 0 order by 2 desc limit 5) n
      left join client c on c.id = n.client_id order by 3 desc`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type NavigationRow = { clients: number; agents: number; requests: number };

/** Returns the counts shown next to the navigation; all zero for a partner that does not exist. */
export async function countNavigation(tx: TenantTx, partnerId: string): Promise<NavigationRow> {
  const [row] = await runStatement<'summary_navigation', NavigationRow>(tx, {
    name: 'summary_navigation',
    text: `select (select count(*)::int from client c where c.partner_id = $1 and c.status in ('active', 'suspended')) as clients,
      (select count(*)::int from workflow w where w.partner_id = $1) as agents,
      (select count(*)::int from agent_request r where r.partner_id = $1 and r.status in ('suggested', 'submitted', 'approved', 'provisioning', 'provisioning_failed')) as requests`,
    values: [partnerId],
  });
  return row ?? { clients: 0, agents: 0, requests: 0 };
}
