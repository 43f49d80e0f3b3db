import type { ReportRefusal } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

export type RefusalCount = { hour: Date; reason: ReportRefusal; reports: number };

/** Adds to the counts of all processes. */
export async function addRefusals(tx: SystemTx, counts: readonly RefusalCount[]): Promise<void> {
  await runStatement(tx, {
    name: 'executions_add_refusals',
    // In one order, so that two processes do not wait for each other's rows.
    text: `insert into report_refusal as r (hour, reason, reports)
      select x.hour, x.reason, x.reports from unnest($1::timestamptz[], $2::text[], $3::int[]) as x(hour, reason, reports) order by x.hour, x.reason
      on conflict (hour, reason) do update set reports = r.reports + excluded.reports`,
    values: [counts.map(({ hour }) => hour), counts.map(({ reason }) => reason), counts.map(({ reports }) => reports)],
  });
}

export type RefusalSum = { reason: ReportRefusal; reports: number };

/** Refused reports of this hour and the 23 before it by reason, the most first. */
export async function readRefusals(tx: SystemTx, now: Date): Promise<RefusalSum[]> {
  return runStatement<'executions_read_refusals', RefusalSum>(tx, {
    name: 'executions_read_refusals',
    text: `select reason, least(sum(reports), 2147483647)::int as reports from report_refusal
      where hour >= date_trunc('hour', $1::timestamptz) - interval '23 hours' group by reason order by sum(reports) desc, reason`,
    values: [now],
  });
}

/** Deletes the counts of hours that were a week ago. */
export async function forgetRefusals(tx: SystemTx): Promise<void> {
  await runStatement(tx, {
    name: 'executions_forget_refusals',
    text: "delete from report_refusal where hour < now() - interval '7 days'",
  });
}
