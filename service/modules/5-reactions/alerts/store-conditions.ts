import type { AlertRule, AlertSeverity, AlertSubjectType, AttemptError, ClientStatus } from '@partner-portal/contract/vocabulary.ts';
import { type AlertFacts, CERTIFICATE_DAYS, CHATBOTS_LABEL, WEBHOOK_FAILURES } from '@partner-portal/core/alert/alert.ts';
import { FAILURES_ALERTED } from '@partner-portal/core/conversation/turn.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

/**
 * Conditions that hold now, for all partners at once: one select per rule with partner, client, rule, subject (type, id, label), facts
 * for the texts, and `since` for a rule that opens once from then on. A new rule is one more select in CONDITIONS.
 */

/** Only the highest threshold that was announced in this period and is still exceeded. */
const USAGE = `select q.partner_id, null::uuid as client_id, 'usage_threshold' as rule, 'usage' as subject_type, t.top::text as subject_id,
    t.top || ' % of the credits' as label, jsonb_build_object('threshold', t.top, 'used', q.used, 'limit', q.monthly_credits + q.purchased_credits) as facts,
    q.period_start as since
  from partner_quota q cross join lateral (select max(x) as top from unnest(q.thresholds) x
    where x <= q.highest_threshold and q.used::bigint * 100 >= x::bigint * (q.monthly_credits + q.purchased_credits)) t
  where t.top is not null and q.period_end > now()`;

const AGENTS = `from workflow w left join client c on c.id = w.client_id left join alert_rules r on r.partner_id = w.partner_id
  where coalesce(c.status, 'active') = 'active' and agent_health(w.provider_flow_id, w.is_active, w.consecutive_failures, w.last_run_at, r.failure_streak, r.silent_days, awaited_from(w.id, w.partner_id, w.on_since, w.last_run_at))`;
const FAILING = `select w.partner_id, w.client_id, 'failure_streak', 'agent', w.id::text, w.name, jsonb_build_object('failures', w.consecutive_failures), null::timestamptz
  ${AGENTS} = 'failing' and w.has_failures`;
const SILENT = `select w.partner_id, w.client_id, 'agent_silent', 'agent', w.id::text, w.name,
    jsonb_build_object('days', floor(extract(epoch from now() - w.last_run_at) / 86400)), null::timestamptz
  ${AGENTS} = 'silent' and w.last_run_day <= (select silent_by_day())`;

/** Pausing an endpoint does not resolve the alert: only a delivered delivery ends the streak. */
const WEBHOOKS = `select e.partner_id, null::uuid, 'webhook_failing', 'webhook_endpoint', e.id::text, coalesce(substring(e.url from '^[a-z]+://(?:[^/@]*@)?([^/?#]+)'), 'your endpoint'),
    jsonb_build_object('failures', e.failure_streak), null::timestamptz
  from webhook_endpoint e where e.deleted_at is null and e.failure_streak >= ${WEBHOOK_FAILURES}`;

const KEYS = `select k.partner_id, k.client_id, 'credential_invalid', 'credential', k.id::text, k.provider,
    jsonb_build_object('reason', k.last_check_message), null::timestamptz
  from credential k left join client c on c.id = k.client_id where k.last_check_ok = false and coalesce(c.status, 'active') = 'active'`;

const UNVERIFIED = `select k.partner_id, k.client_id, 'credential_unverified', 'credential', k.id::text, k.provider,
    jsonb_build_object('reason', k.tls_problem), null::timestamptz
  from credential k left join client c on c.id = k.client_id where k.tls = 'failed' and coalesce(c.status, 'active') = 'active'`;

/** The public message only. Notifications are deduplicated by the attempt. */
const SETUPS = `select i.partner_id, null::uuid, 'provisioning_failed', 'automation_instance', i.partner_id::text, 'Setup',
    jsonb_build_object('reason', i.error_public, 'attemptId', (select a.id from provisioning_attempt a where a.partner_id = i.partner_id and a.status in ('failed', 'timed_out')
      order by a.number desc limit 1)), null::timestamptz
  from automation_instance i where i.status = 'failed'`;

const CERTIFICATES = `select s.partner_id, null::uuid, 'sso_certificate', 'sso_connection', s.partner_id::text, 'Single sign-on',
    jsonb_build_object('days', floor(extract(epoch from s.certificate_expires_at - now()) / 86400)), null::timestamptz
  from sso_connection s where s.certificate_expires_at < now() + interval '${CERTIFICATE_DAYS} days'`;

/** Switching it off resolves the alert: it answers no one any more. */
const CHATBOTS = `select b.partner_id, b.client_id, 'chatbot_failing', 'chatbot', b.id::text, b.name, jsonb_build_object('failures', b.failures_in_a_row, 'isRunFailing', b.is_run_failing), null::timestamptz
  from chatbot b join client c on c.id = b.client_id where b.is_active and (b.failures_in_a_row >= ${FAILURES_ALERTED} or b.is_run_failing) and c.status = 'active'`;

/** Until the day ends, or the budget is raised above what it was when it had no room. */
const CHATBOT_BUDGETS = `select s.partner_id, b.client_id, 'chatbot_budget', 'chatbot', b.id::text, b.name, jsonb_build_object('budget', 'chatbot', 'used', s.used, 'limit', q.chatbot_credits), null::timestamptz
  from chat_spending s join chatbot b on b.id = s.subject join client c on c.id = b.client_id join partner_quota q on q.partner_id = s.partner_id
  where s.scope = 'chatbot' and s.day = (now() at time zone 'UTC')::date and s.reached_limit >= q.chatbot_credits and b.is_active and c.status = 'active'`;
/** Until the period ends, credits are bought, or the share is raised. One alert for all chatbots, also when both have no room. */
const CHAT_SHARES = `select q.partner_id, null::uuid, 'chatbot_budget', 'usage', 'chatbots', '${CHATBOTS_LABEL}',
    case when q.chat_share_reached >= x.share then jsonb_build_object('budget', 'share', 'used', q.chat_used, 'limit', x.share)
      else jsonb_build_object('budget', 'reserve', 'used', q.used, 'limit', x.ceiling) end, null::timestamptz
  from partner_quota q cross join lateral (select chat_share(q.monthly_credits + q.purchased_credits, q.chat_share_percent) as share,
    chat_ceiling(q.monthly_credits + q.purchased_credits) as ceiling) x
  where (q.chat_share_reached is not null or q.chat_reserve_reached is not null) and (q.chat_share_reached >= x.share or q.chat_reserve_reached >= x.ceiling) and q.period_end > now()`;

/** Runs that wait for the first contacts of their client; those that are due again are decided within moments, so that the alert stays one. */
const FIRST_CONTACTS = `select d.partner_id, w.client_id, 'first_contacts', case when c.id is null then 'agent' else 'client' end, coalesce(c.id, w.id)::text, min(coalesce(c.name, w.name)),
    '{}'::jsonb, null::timestamptz
  from dispatch d join workflow w on w.id = d.workflow_id left join client c on c.id = w.client_id
  where d.held_until > now() - interval '5 minutes' and coalesce(c.status, 'active') = 'active' group by d.partner_id, w.client_id, c.id, coalesce(c.id, w.id)`;

/** An alert of the house partner, which is for staff. A process that serves requests evaluates it, since the sweep is a job. */
const WORKERS = `select p.id, null::uuid, 'no_worker', 'service', 'workers', 'Workers', '{}'::jsonb, null::timestamptz
  from worker_state() s join partner p on p.is_house where s.is_silent`;

const CONDITIONS = [
  USAGE,
  FAILING,
  SILENT,
  WEBHOOKS,
  KEYS,
  UNVERIFIED,
  SETUPS,
  CERTIFICATES,
  CHATBOTS,
  CHATBOT_BUDGETS,
  CHAT_SHARES,
  FIRST_CONTACTS,
  WORKERS,
];

/** Suspended partners are excluded: nothing opens, and nothing resolves because of the suspension alone. */
const found = (partnerIds: readonly string[] | null): string => `found as materialized (
    select f.* from (${CONDITIONS.join('\n  union all ')}) f join partner p on p.id = f.partner_id and p.status = 'active'
    where ${named('f', partnerIds)})`;
/** Two forms, so that evaluating a few partners uses their indexes. */
const named = (table: string, partnerIds: readonly string[] | null): string =>
  partnerIds === null ? '$1::uuid[] is null' : `${table}.partner_id = any($1::uuid[])`;
const SAME = 'a.partner_id = f.partner_id and a.rule = f.rule and a.subject_id = f.subject_id';

export type Found = {
  partnerId: string;
  clientId: string | null;
  clientName: string | null;
  rule: AlertRule;
  subjectType: AlertSubjectType;
  subjectId: string;
  label: string;
  facts: AlertFacts & { attemptId?: string | null };
};

/** Conditions without a current alert, of the partners named or of all: the first of each partner, then the second of each. */
export async function listNewConditions(tx: SystemTx, partnerIds: readonly string[] | null, limit: number): Promise<Found[]> {
  return runStatement<'alerts_new' | 'alerts_new_of', Found>(tx, {
    name: partnerIds === null ? 'alerts_new' : 'alerts_new_of',
    text: `with ${found(partnerIds)}
      select f.partner_id, f.client_id, c.name as client_name, f.rule, f.subject_type, f.subject_id, f.label, f.facts
      from found f left join client c on c.id = f.client_id
      where not exists (select from alert a where ${SAME} and (a.cleared_at is null or a.opened_at >= f.since))
      order by row_number() over (partition by f.partner_id order by f.rule, f.subject_id), f.partner_id limit $2`,
    values: [partnerIds, limit],
  });
}

export type NewAlert = Found & { severity: AlertSeverity; message: string };

/** Opens alerts. Only one of two concurrent evaluations inserts; the other's conflicting row is not returned. */
export async function openAlerts(tx: SystemTx, alerts: readonly NewAlert[]): Promise<{ id: string; n: number; openedAt: Date }[]> {
  if (alerts.length === 0) return [];
  return runStatement<'alerts_open', { id: string; n: number; openedAt: Date }>(tx, {
    name: 'alerts_open',
    text: `with item as materialized (select * from jsonb_to_recordset($1::jsonb) as t(n int, "partnerId" uuid, "clientId" uuid, rule text, severity text,
          "subjectType" text, "subjectId" text, label text, message text)),
      opened as (
        insert into alert (partner_id, client_id, rule, severity, subject_type, subject_id, subject_label, message)
        select "partnerId", "clientId", rule, severity, "subjectType", "subjectId", label, message from item order by n
        on conflict (partner_id, rule, subject_id) where cleared_at is null do nothing
        returning id, partner_id, rule, subject_id, opened_at)
      select o.id, i.n, o.opened_at from opened o join item i on i."partnerId" = o.partner_id and i.rule = o.rule and i."subjectId" = o.subject_id order by i.n`,
    values: [JSON.stringify(alerts.map((alert, n) => ({ ...alert, n })))],
  });
}

/** The partner whose alerts are those of the service. */
export async function findHouse(tx: SystemTx): Promise<string | undefined> {
  const [row] = await runStatement<'alerts_find_house', { id: string }>(tx, {
    name: 'alerts_find_house',
    text: 'select id from partner where is_house',
    values: [],
  });
  return row?.id;
}

export type ClearedAlert = {
  id: string;
  partnerId: string;
  rule: AlertRule;
  subjectType: AlertSubjectType;
  subjectId: string;
  label: string;
  openedAt: Date;
  resolvedAt: Date;
  clientId: string | null;
  clientName: string | null;
  clientStatus: ClientStatus | null;
  /** How its agent, or the failed setup, ended; null while it is still there. */
  ended: 'deleted' | 'taken_down' | null;
};

/** An agent without a flow was taken down, or is about to be installed again by a recreate. */
const ENDED = `case when a.subject_type = 'agent' then (select case when w.id is null then 'deleted' when w.provider_flow_id is null then 'taken_down' end
      from (select a.subject_id::uuid as id) s left join workflow w on w.id = s.id)
    when a.rule = 'provisioning_failed' then (select 'taken_down' from automation_instance i where i.partner_id = a.partner_id and i.status in ('deprovisioning', 'unprovisioned')) end`;

/** Resolves alerts whose condition cleared, except those of suspended clients; skips those another evaluation has locked. */
export async function clearAlerts(tx: SystemTx, partnerIds: readonly string[] | null, limit: number): Promise<ClearedAlert[]> {
  return runStatement<'alerts_clear' | 'alerts_clear_of', ClearedAlert>(tx, {
    name: partnerIds === null ? 'alerts_clear' : 'alerts_clear_of',
    text: `with ${found(partnerIds)}, gone as (
        select a.id from alert a join partner p on p.id = a.partner_id and p.status = 'active' left join client c on c.id = a.client_id
        where a.cleared_at is null and c.status is distinct from 'suspended' and ${named('a', partnerIds)} and not exists (select from found f where ${SAME})
        order by a.id limit $2 for update of a skip locked)
      update alert a set cleared_at = now(), status = 'resolved', resolved_at = now()
      from gone g where a.id = g.id
      returning a.id, a.partner_id, a.client_id, a.rule, a.subject_type, a.subject_id, a.subject_label as label, a.opened_at, a.resolved_at,
        (select c.name from client c where c.id = a.client_id) as client_name, (select c.status from client c where c.id = a.client_id) as client_status,
        ${ENDED} as ended`,
    values: [partnerIds, limit],
  });
}

export type FailingEndpoint = { id: string; url: string; error: AttemptError | null; httpStatus: number | null };

/** Address and last failed attempt of endpoints, for the mail about them. */
export async function describeEndpoints(tx: SystemTx, ids: readonly string[]): Promise<FailingEndpoint[]> {
  if (ids.length === 0) return [];
  return runStatement<'alerts_endpoints', FailingEndpoint>(tx, {
    name: 'alerts_endpoints',
    text: `select e.id, split_part(e.url, '?', 1) as url, t.error, t.http_status from webhook_endpoint e
      left join lateral (select d.id from delivery d where d.partner_id = e.partner_id and d.endpoint_id = e.id and d.status = 'failed' order by d.id desc limit 1) d on true
      left join lateral (select a.error, a.http_status from delivery_attempt a where a.partner_id = e.partner_id and a.delivery_id = d.id order by a.n desc limit 1) t on true
      where e.id = any($1)`,
    values: [ids],
  });
}
