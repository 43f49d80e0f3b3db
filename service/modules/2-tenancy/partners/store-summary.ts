import type { AlertRule, AlertStatus, AlertSubjectType } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx, Tx } from '#platform/db/tx.ts';

/** Which part of the agency a summary speaks of. */
export type SummaryScope = { partnerId: string; clientId: string | null };

/** Beginnings of the day, of the same day last week and of the month in the agency's time zone. */
const DAYS = `days as materialized (
  select tz, date_trunc('day', now() at time zone tz) at time zone tz as today,
    (date_trunc('day', now() at time zone tz) - interval '7 days') at time zone tz as week_ago,
    (date_trunc('day', now() at time zone tz) - interval '6 days') at time zone tz as week_ago_end,
    date_trunc('month', now() at time zone tz) at time zone tz as month
  from partner p, known_zone(p.timezone) as tz where p.id = $1)`;

export type HourRow = { hour: number; isToday: boolean; runs: number; succeeded: number; failed: number; contacted: number; byNow: number };

/** Today's runs by the hour and those of the same weekday a week ago, from the hourly counters. */
export async function hoursOfDay(tx: TenantTx, scope: SummaryScope): Promise<HourRow[]> {
  return runStatement<HourRow>(tx, {
    name: 'summary_hours',
    text: `with ${DAYS}
      select extract(hour from h.hour at time zone d.tz)::int as hour, h.hour >= d.today as is_today, sum(h.succeeded + h.failed)::int as runs,
        sum(h.succeeded)::int as succeeded, sum(h.failed)::int as failed, sum(h.contacted)::int as contacted,
        coalesce(sum(h.succeeded + h.failed) filter (where h.hour <= now() - interval '7 days'), 0)::int as by_now
      from workflow_hour h, days d
      where h.partner_id = $1 and ($2::uuid is null or h.client_id = $2) and (h.hour >= d.today or (h.hour >= d.week_ago and h.hour < d.week_ago_end))
      group by 1, 2`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type TemplateRow = { templateName: string; today: number; month: number };

/** Runs that did their work, by template, today and this month: what hours saved are worked out from. */
export async function successesByTemplate(tx: TenantTx, scope: SummaryScope): Promise<TemplateRow[]> {
  return runStatement<TemplateRow>(tx, {
    name: 'summary_templates',
    text: `with ${DAYS}
      select w.template_name, coalesce(sum(h.helped) filter (where h.hour >= d.today), 0)::int as today, sum(h.helped)::int as month
      from workflow_hour h join workflow w on w.id = h.workflow_id, days d
      where h.partner_id = $1 and ($2::uuid is null or h.client_id = $2) and h.hour >= d.month group by 1`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type CountsRow = {
  timezone: string;
  clients: number;
  agents: number;
  agentsOn: number;
  agentsFailing: number;
  installed: number;
  hasRequest: boolean;
  hasKey: boolean;
  hasRun: boolean;
  hasTeam: boolean;
  hasWebhook: boolean;
  running: number;
  failureCauses: number;
};

export async function countAll(tx: TenantTx, scope: SummaryScope): Promise<CountsRow | undefined> {
  const [row] = await runStatement<CountsRow>(tx, {
    name: 'summary_counts',
    text: `with ${DAYS}, agent as (
        select w.*, agent_health(w.provider_flow_id, w.is_active, w.consecutive_failures, w.last_run_at, r.failure_streak, r.silent_days) as health
        from workflow w left join alert_rules r on r.partner_id = w.partner_id where w.partner_id = $1 and ($2::uuid is null or w.client_id = $2))
      select d.tz as timezone,
        (select count(*)::int from client c where c.partner_id = $1 and c.status in ('active', 'suspended') and ($2::uuid is null or c.id = $2)) as clients,
        (select count(*)::int from agent) as agents,
        (select count(*)::int from agent a where a.is_active and a.provider_flow_id is not null) as agents_on,
        (select count(*)::int from agent a where a.health = 'failing') as agents_failing,
        (select count(*)::int from agent a where a.provider_flow_id is not null) as installed,
        exists (select 1 from agent_request r where r.partner_id = $1) as has_request,
        exists (select 1 from credential k where k.partner_id = $1) as has_key,
        exists (select 1 from agent a where a.last_run_at is not null) as has_run,
        (select count(*) > 1 from app_user u where u.partner_id = $1 and u.role = 'PARTNER')
          or exists (select 1 from invitation i where i.partner_id = $1 and i.kind = 'team' and i.status = 'pending') as has_team,
        exists (select 1 from webhook_endpoint h where h.partner_id = $1 and h.deleted_at is null) as has_webhook,
        (select count(*)::int from execution e where e.partner_id = $1 and e.status = 'RUNNING' and e.due_at > now() - interval '1 day' and ($2::uuid is null or e.client_id = $2)) as running,
        (select count(distinct (e.workflow_id, e.error_code))::int from execution e
          where e.partner_id = $1 and e.status = 'FAILED' and e.id >= uuid_floor(d.today) and ($2::uuid is null or e.client_id = $2)) as failure_causes
      from days d`,
    values: [scope.partnerId, scope.clientId],
  });
  return row;
}

/** Whose runs took the credits of this period. */
export async function topClients(tx: TenantTx, scope: SummaryScope): Promise<{ id: string | null; name: string; credits: number }[]> {
  return runStatement(tx, {
    name: 'summary_top_clients',
    text: `select h.client_id as id, coalesce(max(c.name), 'Agency-wide') as name, sum(h.credits)::int as credits
      from workflow_hour h join partner_quota q on q.partner_id = h.partner_id left join client c on c.id = h.client_id
      where h.partner_id = $1 and ($2::uuid is null or h.client_id = $2) and h.hour >= date_trunc('hour', q.period_start) group by h.client_id having sum(h.credits) > 0 order by 3 desc limit 5`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type TroubledAgent = {
  id: string;
  name: string;
  clientName: string | null;
  health: 'failing' | 'silent';
  failures: number;
  lastRunAt: Date | null;
  lastError: string | null;
};

/** Agents that fail or have gone quiet, with the words of the last failure. */
export async function troubledAgents(tx: TenantTx, scope: SummaryScope): Promise<TroubledAgent[]> {
  return runStatement<TroubledAgent>(tx, {
    name: 'summary_troubled',
    text: `select t.id, t.name, c.name as client_name, t.health, t.consecutive_failures as failures, t.last_run_at, e.error_message as last_error
      from (select w.*, agent_health(w.provider_flow_id, w.is_active, w.consecutive_failures, w.last_run_at, r.failure_streak, r.silent_days) as health
        from workflow w left join alert_rules r on r.partner_id = w.partner_id where w.partner_id = $1 and ($2::uuid is null or w.client_id = $2)) t
      left join client c on c.id = t.client_id
      left join lateral (select x.error_message from execution x where x.workflow_id = t.id and x.status = 'FAILED' order by x.id desc limit 1) e on t.health = 'failing'
      where t.health in ('failing', 'silent') and coalesce(c.status, 'active') = 'active' order by t.health, t.last_run_at desc limit 20`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type MissingKey = { provider: string; clientId: string | null; clientName: string | null; agents: string[] };

/** Connections that agents need and nobody saved: not the client, not the agency for it. `needs` are parallel lists of template and provider. */
export async function missingKeys(
  tx: TenantTx,
  scope: SummaryScope,
  needs: { templates: string[]; providers: string[] },
): Promise<MissingKey[]> {
  return runStatement<MissingKey>(tx, {
    name: 'summary_missing_keys',
    text: `select n.provider, w.client_id, c.name as client_name, array_agg(w.name order by w.name) as agents
      from workflow w join unnest($3::text[], $4::text[]) as n(template, provider) on n.template = w.template_name left join client c on c.id = w.client_id
      where w.partner_id = $1 and ($2::uuid is null or w.client_id = $2) and w.is_active and coalesce(c.status, 'active') = 'active'
        and not exists (select 1 from credential k where k.partner_id = $1 and k.provider = n.provider and (k.client_id = w.client_id or k.client_id is null))
      group by 1, 2, 3 order by 1, 3 limit 20`,
    values: [scope.partnerId, scope.clientId, needs.templates, needs.providers],
  });
}

export type RefusedKey = { id: string; provider: string; clientName: string | null; message: string | null; at: Date | null };

/** Saved keys whose last check failed. */
export async function refusedKeys(tx: TenantTx, scope: SummaryScope): Promise<RefusedKey[]> {
  return runStatement<RefusedKey>(tx, {
    name: 'summary_refused_keys',
    text: `select k.id, k.provider, c.name as client_name, k.last_check_message as message, k.last_check_at as at from credential k left join client c on c.id = k.client_id
      where k.partner_id = $1 and k.last_check_ok = false and ($2::uuid is null or k.client_id is null or k.client_id = $2) order by k.last_check_at desc limit 10`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type OpenAlert = {
  id: string;
  rule: AlertRule;
  status: AlertStatus;
  subjectType: AlertSubjectType;
  subjectId: string;
  label: string;
  message: string;
  openedAt: Date;
};

/** Alerts that are not resolved, newest first. They are another room's to open; here they are only shown. */
export async function openAlerts(tx: TenantTx, scope: SummaryScope): Promise<OpenAlert[]> {
  return runStatement<OpenAlert>(tx, {
    name: 'summary_alerts',
    text: `select a.id, a.rule, a.status, a.subject_type, a.subject_id, a.subject_label as label, a.message, a.opened_at from alert a
      where a.partner_id = $1 and ($2::uuid is null or a.client_id = $2) and a.status <> 'resolved' order by a.id desc limit 200`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type WaitingRequest = {
  id: string;
  title: string;
  clientName: string;
  status: 'suggested' | 'provisioning_failed';
  failureMessage: string | null;
  since: Date;
};

/** Requests that wait for the agency: what its clients suggest, and what could not be installed. */
export async function waitingRequests(tx: TenantTx, scope: SummaryScope): Promise<WaitingRequest[]> {
  return runStatement<WaitingRequest>(tx, {
    name: 'summary_requests',
    text: `select r.id, r.title, c.name as client_name, r.status, r.failure_message, r.updated_at as since
      from agent_request r join client c on c.id = r.client_id
      where r.partner_id = $1 and ($2::uuid is null or r.client_id = $2) and r.status in ('suggested', 'provisioning_failed') order by r.status, r.id desc limit 10`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type SetupRow = {
  status: string;
  errorPublic: string | null;
  provisionedAt: Date | null;
  attemptId: string | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  updatedAt: Date;
  steps: { stage: string; status: string; startedAt: string | null; finishedAt: string | null }[];
};

/** How the setup of the agents stands: the redacted columns only, which are all a tenant may read. */
export async function findSetup(tx: TenantTx, partnerId: string): Promise<SetupRow | undefined> {
  const [row] = await runStatement<SetupRow>(tx, {
    name: 'summary_setup',
    text: `select i.status, i.error_public, i.provisioned_at, i.updated_at, a.id as attempt_id, a.started_at, a.finished_at,
        coalesce((select jsonb_agg(jsonb_build_object('stage', s.stage, 'status', s.status, 'startedAt', iso_time(s.started_at), 'finishedAt', iso_time(s.finished_at)) order by s."order")
          from provisioning_step s where s.attempt_id = a.id), '[]') as steps
      from automation_instance i
      left join lateral (select x.id, x.started_at, x.finished_at from provisioning_attempt x where x.partner_id = i.partner_id order by x.number desc limit 1) a on true
      where i.partner_id = $1`,
    values: [partnerId],
  });
  return row;
}

export type SetupWorkflow = {
  workflowId: string;
  name: string;
  clientId: string | null;
  clientName: string | null;
  templateName: string;
  templateVersion: number | null;
  isActive: boolean;
  installed: boolean;
};

export async function listSetupWorkflows(tx: TenantTx, scope: SummaryScope): Promise<SetupWorkflow[]> {
  return runStatement<SetupWorkflow>(tx, {
    name: 'summary_workflows',
    text: `select w.id as workflow_id, w.name, w.client_id, c.name as client_name, w.template_name, w.template_version, w.is_active, w.provider_flow_id is not null as installed
      from workflow w left join client c on c.id = w.client_id where w.partner_id = $1 and ($2::uuid is null or w.client_id = $2) order by w.id desc limit 200`,
    values: [scope.partnerId, scope.clientId],
  });
}

type RunRow = {
  id: string;
  workflowId: string;
  agentName: string;
  partnerId: string;
  clientId: string | null;
  clientName: string | null;
  status: string;
  source: string;
  summary: string;
  startedAt: Date;
  finishedAt: Date | null;
  errorCode: string | null;
  errorMessage: string | null;
  errorStep: string | null;
  creditsCharged: number;
  rerunOf: string | null;
  late: boolean;
  templateVersion: number;
  delayed: boolean;
};

/** The newest runs in scope as the contract's executionRow. */
export async function listLatestRuns(tx: Tx, scope: SummaryScope, limit: number) {
  const rows = await runStatement<RunRow>(tx, {
    name: scope.clientId === null ? 'summary_runs' : 'summary_client_runs',
    text: `select e.id, e.workflow_id, coalesce(w.name, 'Removed agent') as agent_name, e.partner_id, e.client_id, c.name as client_name, e.status, e.source, e.summary, e.started_at,
        e.finished_at, e.error_code, e.error_message, e.error_step, e.credits_charged, e.rerun_of, e.late, e.template_version,
        e.status = 'RUNNING' and exists (select 1 from dispatch d where d.execution_id = e.id and d.created_at < now() - interval '10 seconds') as delayed
      from (select x.* from execution x where x.partner_id = $1 ${scope.clientId === null ? 'and $2::uuid is null' : 'and x.client_id = $2'} order by x.id desc limit $3) e
      left join workflow w on w.id = e.workflow_id left join client c on c.id = e.client_id order by e.id desc`,
    values: [scope.partnerId, scope.clientId, limit],
  });
  return rows.map(({ errorCode, errorMessage, errorStep, ...run }) => ({
    ...run,
    durationMs: run.finishedAt ? Math.max(0, run.finishedAt.getTime() - run.startedAt.getTime()) : null,
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '', stepName: errorStep },
  }));
}

export async function clientExists(tx: TenantTx, clientId: string): Promise<boolean> {
  return (
    (await tx.selectFrom('client').select('id').where('id', '=', clientId).where('status', '!=', 'deleted').executeTakeFirst()) !==
    undefined
  );
}
