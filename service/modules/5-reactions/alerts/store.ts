import { byName } from '@partner-portal/core/people/name-order.ts';
import type { AlertRule, AlertSeverity, AlertStatus, AlertSubjectType } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type AlertRow = {
  id: string;
  partnerId: string;
  partnerName: string;
  clientId: string | null;
  clientName: string | null;
  rule: AlertRule;
  severity: AlertSeverity;
  status: AlertStatus;
  subjectType: AlertSubjectType;
  subjectId: string;
  label: string;
  message: string;
  openedAt: Date;
  acknowledgedAt: Date | null;
  acknowledgedByName: string | null;
  resolvedAt: Date | null;
  resolvedByName: string | null;
  note: string | null;
  muted: boolean;
};

/** Row-level security hides staff users from a partner, which then reads "Platform staff". */
const nameOf = (column: string, user: string): string =>
  `case when a.${column} is not null then coalesce(nullif(${user}.full_name, ''), ${user}.email, 'Platform staff') end`;
// The client by its key: joined, the planner takes the few clients of an average agency, and reads all of a large one for each alert.
const COLUMNS = `a.id, a.partner_id, p.name as partner_name, a.client_id, (select c.name from client c where c.id = a.client_id) as client_name, a.rule, a.severity, a.status, a.subject_type, a.subject_id,
  a.subject_label as label, a.message, a.opened_at, a.acknowledged_at, ${nameOf('acknowledged_by', 'k')} as acknowledged_by_name, a.resolved_at,
  ${nameOf('resolved_by', 'r')} as resolved_by_name, a.note, a.status = 'resolved' and a.cleared_at is null as muted`;
const NAMES = `join partner p on p.id = a.partner_id
  left join app_user k on k.id = a.acknowledged_by left join app_user r on r.id = a.resolved_by`;

export type AlertFilters = {
  partnerId: string | null;
  clientId?: string | undefined;
  status?: string | undefined;
  open?: boolean | undefined;
  muted?: boolean | undefined;
  rule?: string | undefined;
  severity?: string | undefined;
};

export async function listAlerts(tx: Tx, filters: AlertFilters, before: string | null, limit: number): Promise<AlertRow[]> {
  const { partnerId, open, ...others } = filters;
  if (partnerId !== null && before === null && open !== false && Object.values(others).every((one) => one === undefined))
    return listFirst(tx, partnerId, open === true, limit);
  return runStatement<'alerts_list_alerts', AlertRow>(tx, {
    name: 'alerts_list_alerts',
    prepare: false,
    text: `select ${COLUMNS} from (select a.* from alert a
        where ($1::uuid is null or a.partner_id = $1) and ($2::uuid is null or a.client_id = $2) and ($3::text is null or a.status = $3)
          and ($4::boolean is null or (a.status <> 'resolved') = $4) and ($5::text is null or a.rule = $5) and ($6::text is null or a.severity = $6)
          and ($7::uuid is null or a.id < $7) and ($9::boolean is null or (a.status = 'resolved' and a.cleared_at is null) = $9) order by a.id desc limit $8) a
      ${NAMES} order by a.id desc`,
    values: [
      filters.partnerId,
      filters.clientId ?? null,
      filters.status ?? null,
      filters.open ?? null,
      filters.rule ?? null,
      filters.severity ?? null,
      before,
      limit,
      filters.muted ?? null,
    ],
  });
}

/** What a page shows first: the newest alerts of an agency, or those that are open. */
async function listFirst(tx: Tx, partnerId: string, isOpen: boolean, limit: number): Promise<AlertRow[]> {
  return runStatement<'alerts_list_first', AlertRow>(tx, {
    name: 'alerts_list_first',
    text: `select ${COLUMNS} from newest_alerts($1::uuid, $2, $3) n cross join lateral (select x.* from alert x where x.id = n offset 0) a
      ${NAMES} order by a.id desc`,
    values: [partnerId, isOpen, limit],
  });
}

export async function findAlert(tx: Tx, id: string): Promise<AlertRow | undefined> {
  const [row] = await runStatement<'alerts_find', AlertRow>(tx, {
    name: 'alerts_find',
    text: `select ${COLUMNS} from alert a ${NAMES} where a.id = $1`,
    values: [id],
  });
  return row;
}

/** Locks the row until the transaction ends, so that the second of two concurrent moves sees the first. */
export async function lockAlert(tx: Tx, id: string): Promise<AlertRow | undefined> {
  const [row] = await runStatement<'alerts_lock', AlertRow>(tx, {
    name: 'alerts_lock',
    text: `select ${COLUMNS} from alert a ${NAMES} where a.id = $1 for no key update of a`,
    values: [id],
  });
  return row;
}

/** Writes a person's move. Without a note the stored one stays. */
export async function writeMove(
  tx: Tx,
  id: string,
  move: { to: 'acknowledged' | 'resolved'; by: string; note: string | null },
): Promise<void> {
  await runStatement<'alerts_acknowledged' | 'alerts_resolved'>(tx, {
    name: move.to === 'acknowledged' ? 'alerts_acknowledged' : 'alerts_resolved',
    text:
      move.to === 'acknowledged'
        ? `update alert set status = 'acknowledged', acknowledged_at = now(), acknowledged_by = $2, note = coalesce($3, note) where id = $1`
        : `update alert set status = 'resolved', resolved_at = now(), resolved_by = $2, note = coalesce($3, note) where id = $1`,
    values: [id, move.by, move.note],
  });
}

export type RulesRow = { usageThresholds: number[]; failureStreak: number | null; silentDays: number | null; recipients: string[] };

/** The partner's stored rules; null where the default applies. Disabled recipients are left out. */
export async function readRules(tx: Tx, partnerId: string): Promise<RulesRow | undefined> {
  const [row] = await runStatement<'alerts_read_rules', RulesRow>(tx, {
    name: 'alerts_read_rules',
    text: `select coalesce(q.thresholds, '{}') as usage_thresholds, r.failure_streak, r.silent_days,
        array(select u.email from alert_recipient x join app_user u on u.id = x.user_id where x.partner_id = p.id and u.status = 'active' order by u.email) as recipients
      from partner p left join partner_quota q on q.partner_id = p.id left join alert_rules r on r.partner_id = p.id where p.id = $1`,
    values: [partnerId],
  });
  return row;
}

export type MemberRow = { id: string; email: string; fullName: string; partnerRole: 'admin' | 'moderator' };

/** Team members who can be recipients, by name. */
export async function listTeam(tx: Tx, partnerId: string): Promise<MemberRow[]> {
  const rows = await runStatement<'alerts_team', MemberRow>(tx, {
    name: 'alerts_team',
    text: `select id, email, full_name, partner_role from app_user where partner_id = $1 and role = 'PARTNER' and status = 'active' order by email`,
    values: [partnerId],
  });
  return byName(rows, ({ fullName }) => fullName, 'en');
}

/** Serializes changes of a partner's rules, so that the audit entry's "before" is correct. */
export async function lockRules(tx: Tx, partnerId: string): Promise<void> {
  await runStatement(tx, {
    name: 'alerts_lock_rules',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`alert-rules:${partnerId}`],
  });
}

export type Rules = { usageThresholds: readonly number[]; failureStreak: number; silentDays: number; recipientIds: readonly string[] };

/** Writes the rules. Thresholds announced in this period stay announced. */
export async function writeRules(tx: Tx, partnerId: string, rules: Rules): Promise<void> {
  await runStatement(tx, {
    name: 'alerts_write_rules',
    text: `with numbers as (
        insert into alert_rules (partner_id, failure_streak, silent_days) values ($1, $2, $3)
        on conflict (partner_id) do update set failure_streak = excluded.failure_streak, silent_days = excluded.silent_days
      ), gone as (
        delete from alert_recipient where partner_id = $1 and user_id <> all($4::uuid[])
      )
      insert into alert_recipient (partner_id, user_id) select $1, x from unnest($4::uuid[]) x on conflict do nothing`,
    values: [partnerId, rules.failureStreak, rules.silentDays, rules.recipientIds],
  });
  await runStatement(tx, {
    name: 'alerts_write_thresholds',
    text: 'update partner_quota set thresholds = $2 where partner_id = $1 and thresholds is distinct from $2',
    values: [partnerId, rules.usageThresholds],
  });
}
