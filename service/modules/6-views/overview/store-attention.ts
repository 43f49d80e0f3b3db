import type { AlertRule, AlertStatus, AlertSubjectType } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import { FAILURE_STREAK, IS_ON, narrowed, type OverviewScope, SILENT_SINCE } from './store.ts';

export type TroubledAgent = {
  id: string;
  name: string;
  clientName: string | null;
  health: 'failing' | 'silent';
  failures: number;
  lastRunAt: Date | null;
  lastError: string | null;
};

/** Most items of a kind that the overview lists: failing agents, silent agents; then refused keys, requests, and account requests. */
export const TROUBLED_SHOWN = 20;
export const SHOWN = 10;

/** Returns failing and silent agents, `TROUBLED_SHOWN` of each, with the message of the last failure. */
export async function troubledAgents(tx: TenantTx, scope: OverviewScope): Promise<TroubledAgent[]> {
  return runStatement<'summary_troubled' | 'summary_troubled_of_client', TroubledAgent>(tx, {
    name: scope.clientId === null ? 'summary_troubled' : 'summary_troubled_of_client',
    // Failing and silent agents each have an index of their own.
    text: `with rules as materialized (select (${FAILURE_STREAK}) as streak, (${SILENT_SINCE}) as silent_since)
      select t.id, t.name, t.client_name, t.health, t.failures, t.last_run_at, case when t.health = 'failing' then last_failure_of(t.id) end as last_error
      from (select w.id, w.name, c.name as client_name, w.health, w.failures, w.last_run_at, row_number() over (partition by w.health order by w.last_run_at desc) as place
        from (select w.id, w.name, w.client_id, 'failing' as health, w.consecutive_failures as failures, w.last_run_at
          from rules r cross join lateral (select w.* from workflow w where w.partner_id = $1 and ${narrowed('w.client_id', scope)} and w.has_failures and w.consecutive_failures >= r.streak and ${IS_ON} offset 0) w
          union all
          select w.id, w.name, w.client_id, 'silent', w.consecutive_failures, w.last_run_at
          from rules r cross join lateral (select w.* from workflow w where w.partner_id = $1 and ${narrowed('w.client_id', scope)} and w.last_run_day <= (r.silent_since at time zone 'UTC')::date
            and w.last_run_at < r.silent_since and (awaited_from(w.id, w.partner_id, w.on_since, w.last_run_at) < r.silent_since) is not false and w.consecutive_failures < r.streak and ${IS_ON} offset 0) w) w
        left join lateral (select k.name, k.status from client k where k.id = w.client_id offset 0) c on true
        where coalesce(c.status, 'active') = 'active') t
      where t.place <= ${TROUBLED_SHOWN} order by t.health, t.last_run_at desc`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type RefusedKey = { id: string; provider: string; clientName: string | null; message: string | null; at: Date | null };

/** Returns saved credentials whose last check failed, but those of clients that are not active, as the alert leaves them out. */
export async function refusedKeys(tx: TenantTx, scope: OverviewScope): Promise<RefusedKey[]> {
  return runStatement<'summary_refused_keys', RefusedKey>(tx, {
    name: 'summary_refused_keys',
    text: `select k.id, k.provider, c.name as client_name, k.last_check_message as message, k.last_check_at as at from credential k left join client c on c.id = k.client_id
      where k.partner_id = $1 and k.last_check_ok = false and coalesce(c.status, 'active') = 'active' and ($2::uuid is null or k.client_id is null or k.client_id = $2) order by k.last_check_at desc limit ${SHOWN}`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type CurrentAlert = {
  id: string;
  rule: AlertRule;
  status: AlertStatus;
  subjectType: AlertSubjectType;
  subjectId: string;
  label: string;
  message: string;
  openedAt: Date;
};

/** Returns alerts whose condition holds, muted ones included, newest first. */
export async function currentAlerts(tx: TenantTx, scope: OverviewScope): Promise<CurrentAlert[]> {
  return runStatement<'summary_alerts', CurrentAlert>(tx, {
    name: 'summary_alerts',
    text: `select a.id, a.rule, a.status, a.subject_type, a.subject_id, a.subject_label as label, a.message, a.opened_at from alert a
      where a.partner_id = $1 and ($2::uuid is null or a.client_id = $2) and a.cleared_at is null order by a.id desc limit 200`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type WaitingRequest = {
  id: string;
  title: string;
  clientName: string;
  status: 'suggested' | 'provisioning_failed';
  failureMessage: string | null;
  clientId: string;
  /** Its last installation. */
  attemptId: string | null;
  /** Services whose keys the installation lacks. */
  missingProviders: string[];
  since: Date;
};

/** Returns requests that wait for the partner: suggested by a client, or failed to install. */
export async function waitingRequests(tx: TenantTx, scope: OverviewScope): Promise<WaitingRequest[]> {
  return runStatement<'summary_requests', WaitingRequest>(tx, {
    name: 'summary_requests',
    // The client by its key: joined, the planner may read all clients of a large agency for ten requests.
    text: `select r.id, r.title, (select c.name from client c where c.id = r.client_id) as client_name, r.status, r.failure_message, r.client_id, r.last_attempt_id as attempt_id,
        r.missing_providers, r.updated_at as since
      from agent_request r
      where r.partner_id = $1 and ($2::uuid is null or r.client_id = $2) and r.status in ('suggested', 'provisioning_failed') order by r.status, r.id desc limit ${SHOWN}`,
    values: [scope.partnerId, scope.clientId],
  });
}

export type AccountRequest = {
  id: string;
  kind: 'deletion' | 'reactivation';
  clientId: string;
  clientName: string;
  text: string;
  since: Date;
};

/** Returns requests to delete or reactivate a client that wait for the partner's decision. */
export async function accountRequests(tx: TenantTx, scope: OverviewScope): Promise<AccountRequest[]> {
  return runStatement<'summary_account_requests', AccountRequest & Record<'kind', never>>(tx, {
    name: 'summary_account_requests',
    text: `select r.id, r.kind, r.client_id, c.name as client_name, r.text, r.since
      from (select d.id, 'deletion' as kind, d.partner_id, d.client_id, d.reason as text, d.created_at as since from deletion_request d
          where d.status = 'pending' and d.scope = 'client'
        union all select a.id, 'reactivation', a.partner_id, a.client_id, a.message, a.created_at from reactivation_request a
          where a.status = 'pending' and a.scope = 'client') r
      join client c on c.id = r.client_id
      where r.partner_id = $1 and ($2::uuid is null or r.client_id = $2) and c.status <> 'deleted' order by r.since limit ${SHOWN}`,
    values: [scope.partnerId, scope.clientId],
  });
}
