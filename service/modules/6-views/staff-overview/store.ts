import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { isOverdueBy } from '#schema/invoice-columns.ts';

/** Agencies listed at most. */
const AT_RISK_MAX = 50;
const CAUSES_MAX = 50;
/** Failed runs that are grouped at most, the newest, as in the causes of an agency. */
export const CAUSES_WINDOW = 5_000;
const MOST_MAX = 3;

export type AtRiskRow = {
  partnerId: string;
  partnerName: string;
  suspendedAt: Date | null;
  overdueInvoices: number;
  trialEndsAt: Date | null;
  failingAgents: number;
  refusedKeys: number;
  total: number;
};

/**
 * Returns agencies with a reason to look after them: those that owe, whose trial ends, and whose agents or keys fail. Suspended ones come last, because those
 * of ended trials stay: they would leave no place for the others.
 */
export async function listAtRisk(tx: SystemTx, until: { overdueAt: Date; trialsUntil: Date }): Promise<AtRiskRow[]> {
  return runStatement<'staff_at_risk', AtRiskRow>(tx, {
    name: 'staff_at_risk',
    text: `with overdue as (
        select i.partner_id, count(*)::int as invoices from invoice i where ${isOverdueBy('$1')} group by 1
      ), trials as (
        select s.partner_id, s.trial_ends_at from subscription s where s.status = 'trialing' and s.trial_ends_at <= $2
      ), failing as (
        select a.partner_id, (count(*) filter (where a.rule = 'failure_streak'))::int as agents, (count(*) filter (where a.rule = 'credential_invalid'))::int as keys
        from alert a where a.status <> 'resolved' and a.rule in ('failure_streak', 'credential_invalid') group by 1
      )
      select p.id as partner_id, p.name as partner_name, case when p.status = 'suspended' then coalesce(p.suspended_at, p.updated_at) end as suspended_at,
        coalesce(o.invoices, 0) as overdue_invoices, t.trial_ends_at, coalesce(f.agents, 0) as failing_agents, coalesce(f.keys, 0) as refused_keys,
        (count(*) over ())::int as total
      from partner p left join overdue o on o.partner_id = p.id left join trials t on t.partner_id = p.id left join failing f on f.partner_id = p.id
      where not p.is_house and p.status in ('active', 'suspended') and (p.status = 'suspended' or o.partner_id is not null or t.partner_id is not null or f.partner_id is not null)
      order by p.status = 'suspended', coalesce(o.invoices, 0) desc, t.trial_ends_at, coalesce(f.agents, 0) + coalesce(f.keys, 0) desc, suspended_at desc, p.id limit ${AT_RISK_MAX}`,
    values: [until.overdueAt, until.trialsUntil],
  });
}

export type CauseRow = {
  code: string;
  message: string | null;
  runs: number;
  agencies: number;
  /** Runs of all causes together. */
  grouped: number;
  most: { partnerId: string; partnerName: string; runs: number }[];
};

/** Returns the newest failed runs since `from`, grouped by cause, most runs first. */
export async function groupFailures(tx: SystemTx, from: Date): Promise<CauseRow[]> {
  return runStatement<'staff_causes', CauseRow>(tx, {
    name: 'staff_causes',
    prepare: false,
    // The id is created just before the row, hence the minute of slack; the time decides.
    text: `with newest as materialized (
        select e.id, coalesce(e.error_code, 'unknown') as code, e.error_message, e.partner_id from execution e
        where e.status = 'FAILED' and e.id >= uuid_floor($1::timestamptz - interval '1 minute') and e.started_at >= $1 order by e.id desc limit ${CAUSES_WINDOW}
      ), of_agencies as (
        select n.code, n.partner_id, count(*)::int as runs, row_number() over (partition by n.code order by count(*) desc, n.partner_id) as place from newest n group by 1, 2
      )
      select g.code, g.message, g.runs, g.agencies, (select count(*)::int from newest) as grouped, (select jsonb_agg(jsonb_build_object('partnerId', a.partner_id, 'partnerName', p.name, 'runs', a.runs) order by a.place)
          from of_agencies a join partner p on p.id = a.partner_id where a.code = g.code and a.place <= ${MOST_MAX}) as most
      from (select n.code, (array_agg(n.error_message order by n.id desc))[1] as message, count(*)::int as runs, count(distinct n.partner_id)::int as agencies
        from newest n group by 1) g
      order by g.runs desc, g.code limit ${CAUSES_MAX}`,
    values: [from],
  });
}

export type RunSums = { runs: number; failed: number; runsBefore: number };

/** Adds up the hours of all agencies: since `from`, and of the days before it until `beforeUntil`. */
export async function sumRuns(tx: SystemTx, span: { from: Date; before: Date; beforeUntil: Date }): Promise<RunSums> {
  const [row] = await runStatement<'staff_runs', RunSums>(tx, {
    name: 'staff_runs',
    prepare: false,
    text: `select coalesce(sum(u.succeeded + u.failed) filter (where u.hour >= $1), 0)::int as runs, coalesce(sum(u.failed) filter (where u.hour >= $1), 0)::int as failed,
        coalesce(sum(u.succeeded + u.failed) filter (where u.hour < $3), 0)::int as runs_before
      from usage_of_all($2, 'infinity') u where u.counter = 'ended_runs'`,
    values: [span.from, span.before, span.beforeUntil],
  });
  return row ?? { runs: 0, failed: 0, runsBefore: 0 };
}

/** Counts agencies and their clients by status, without our own agency. A status that none has is left out. */
export async function countAccounts(tx: SystemTx): Promise<{ kind: 'agency' | 'client'; status: string; accounts: number }[]> {
  return runStatement<'staff_accounts', { kind: 'agency' | 'client'; status: string; accounts: number }>(tx, {
    name: 'staff_accounts',
    prepare: false,
    text: `select 'agency' as kind, p.status, count(*)::int as accounts from partner p where not p.is_house group by p.status
      union all
      select 'client', c.status, count(*)::int from client c group by c.status`,
    values: [],
  });
}

export type Changes = { newAgencies: number; newAgents: number; subscriptionChanges: number };

/** Counts agencies and agents that were added since `from` and are still there, and changes of subscriptions. */
export async function countChanges(tx: SystemTx, from: Date): Promise<Changes> {
  const [row] = await runStatement<'staff_changes', Changes>(tx, {
    name: 'staff_changes',
    prepare: false,
    text: `select (select count(*)::int from partner p where not p.is_house and p.status in ('active', 'suspended') and p.created_at >= $1) as new_agencies,
      (select count(*)::int from workflow w where w.id >= uuid_floor($1::timestamptz - interval '1 minute') and w.created_at >= $1) as new_agents,
      (select count(*)::int from audit_entry e where e.action = 'billing.subscription_changed' and e.result = 'ok'
        and e.id >= uuid_floor($1::timestamptz - interval '1 minute') and e.at >= $1) as subscription_changes`,
    values: [from],
  });
  return row ?? { newAgencies: 0, newAgents: 0, subscriptionChanges: 0 };
}
