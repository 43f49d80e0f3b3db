import type { Locale } from '@partner-portal/contract/locales.ts';
import type { KEYWORD_ENDS } from '@partner-portal/core/contact/opt-out.ts';
import type { NO_LONGER_RUNS } from '@partner-portal/core/execution/acceptance.ts';
import type { DispatchStep } from '@partner-portal/core/execution/dispatch.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';

/** Statements of the dispatch queue. Most are calls of definer functions that cross partners. */

export type ClaimedDispatch = {
  executionId: string;
  partnerId: string;
  workflowId: string;
  clientId: string | null;
  providerFlowId: string | null;
  templateName: string | null;
  /** Version of the installed flow; null: the newest. */
  templateVersion: number | null;
  attempts: number;
  misses: number;
  /** When it was accepted. */
  createdAt: Date;
  /** The event as it came. */
  input: Record<string, unknown> | null;
  /** Its values that are understood as another one (core/template/input.ts). */
  understood: Record<string, unknown> | null;
  config: Record<string, unknown> | null;
  clientName: string;
  timezone: string;
  locale: Locale;
  businessProfile: Record<string, string>;
  /** Countries that the client may text; null: its own. */
  textCountries: string[] | null;
  businessPhone: string | null;
  lastContactAt: Date | null;
  /** When the agent last reached the contact of the event, or the number that it may text, about the same quote or visit; also when another run that may is under way. */
  aboutAt: Date | null;
  /** The same of a mail to an address of the event. */
  lastMailAt: Date | null;
  /** When another run of the agent, for the same person, was claimed that has not ended; null for none, and where it may text no one. */
  otherRunAt: Date | null;
  /** The contact is on the stop list. */
  optedOut: boolean;
  /** The number that the flow may text is, when it is another than the contact. */
  numberOptedOut: boolean;
  /** Addresses of the event, and recipients that the settings name, that are on the stop list; in lower case. */
  listedAddresses: string[];
  /** Started by the service at its planned time. */
  isPlanned: boolean;
  /** The keyword request in the text of the event, besides an answer; its run ends before the flow. */
  keyword: keyof typeof KEYWORD_ENDS | null;
  /** Why its agent may no longer run, or what ended the plan of its quote or visit; its run ends before the flow. */
  refusal: keyof typeof NO_LONGER_RUNS | null;
  /** Its agency's agents are being installed or removed, so a flow that is missing may be there again soon. */
  isBeingSetUp: boolean;
  /** Size of the event. */
  bytes: number;
};

/**
 * Claims due executions, at most `share` and `shareBytes` of one partner, for `leaseSeconds`. Large events share `freeBytes`. `windowRuns` may be under
 * way at a time, half of them of one partner; a run holds its place for `placeSeconds` at most. `firstContacts`: people whom a client
 * without a cap of its own may text for the first time in an hour. `isFull`: runs wait for a place; `held`: how many wait for the next hour of their client.
 */
export async function claimDispatches(
  db: Database,
  worker: string,
  options: {
    batch: number;
    share: number;
    leaseSeconds: number;
    freeBytes: number;
    shareBytes: number;
    windowRuns: number;
    placeSeconds: number;
    firstContacts: number;
  },
): Promise<{ claimed: ClaimedDispatch[]; isFull: boolean; held: number }> {
  const { batch, share, leaseSeconds, freeBytes, shareBytes, windowRuns, placeSeconds, firstContacts } = options;
  const rows = await db.call<'claim_dispatches', ClaimedDispatch | NothingClaimed>({
    name: 'claim_dispatches',
    text: 'select * from claim_dispatches($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    values: [worker, batch, share, leaseSeconds, freeBytes, shareBytes, windowRuns, placeSeconds, firstContacts],
  });
  const claimed = rows.filter((row) => row.executionId !== null);
  const rest = rows.find((row) => row.executionId === null);
  return { claimed, isFull: rest?.isFull ?? false, held: rest?.held ?? 0 };
}

/** The row about those that were not claimed. */
type NothingClaimed = { [key in keyof ClaimedDispatch]: null } & { isFull: boolean; held: number };

export type ExpiredDispatch = {
  executionId: string;
  workflowId: string;
  providerFlowId: string | null;
  attempts: number;
  /** Nothing was sent before. */
  sentAt: Date;
  isBeingSetUp: boolean;
  isFlowReplaced: boolean;
};

/** Claims dispatches to be looked up, at most `share` of one partner: their lease has expired, or it is time to ask again. */
export function claimExpiredDispatches(
  db: Database,
  worker: string,
  options: { batch: number; share: number; leaseSeconds: number },
): Promise<ExpiredDispatch[]> {
  const { batch, share, leaseSeconds } = options;
  return db.call<'claim_expired_dispatches', ExpiredDispatch>({
    name: 'claim_expired_dispatches',
    text: 'select * from claim_expired_dispatches($1, $2, $3, $4)',
    values: [worker, batch, share, leaseSeconds],
  });
}

/** Effect on the claim of this attempt: `done` removes the row from the queue, `ask` leaves it unclaimed until the engine is asked. */
export type Settlement = { executionId: string; attempts: number; step: Exclude<DispatchStep, { next: 'fail' }> };

/** Ends claims of this worker. Safe to repeat: a claim that it no longer holds is left as it is. */
export async function settleDispatches(db: Database, worker: string, settlements: readonly Settlement[]): Promise<void> {
  const done: string[] = [];
  const again: { executionId: string; attempts: number; waitMs: number; missed: boolean }[] = [];
  const asked: { executionId: string; attempts: number; waitMs: number }[] = [];
  for (const { executionId, attempts, step } of settlements) {
    if (step.next === 'done') done.push(executionId);
    else if (step.next === 'again') again.push({ executionId, attempts, waitMs: step.waitMs, missed: step.missed });
    else asked.push({ executionId, attempts, waitMs: step.waitMs });
  }
  await db.call({
    name: 'settle_dispatches',
    text: 'select settle_dispatches($1, $2::uuid[], $3::uuid[], $4::int[], $5::int[], $6::boolean[], $7::uuid[], $8::int[], $9::int[])',
    values: [
      worker,
      done,
      again.map((one) => one.executionId),
      again.map((one) => one.attempts),
      again.map((one) => one.waitMs),
      again.map((one) => one.missed),
      asked.map((one) => one.executionId),
      asked.map((one) => one.attempts),
      asked.map((one) => one.waitMs),
    ],
  });
}

/** What waits to be sent and what is under way in the engine, with the share of the agency that has most of it; 0 where there is none. */
export type Backlog = { waiting: number; oldestSeconds: number; waitingShare: number; underWay: number; underWayShare: number };

/** Counts the dispatch queue and the runs under way. Runs that wait for the next hour of their client's first contacts do not age. */
export async function readBacklog(tx: SystemTx): Promise<Backlog> {
  const [row] = await runStatement<'dispatch_backlog', Backlog>(tx, {
    name: 'dispatch_backlog',
    prepare: false,
    text: `with queued as (
        select d.partner_id, count(*)::int as runs, min(d.created_at) filter (where d.held_until is null or d.held_until <= now()) as oldest
        from dispatch d group by d.partner_id
      ), running as (select u.partner_id, count(*)::int as runs from under_way u group by u.partner_id)
      select q.waiting, q.oldest_seconds, q.waiting_share, r.under_way, r.under_way_share
      from (select coalesce(sum(runs), 0)::int as waiting, coalesce(max(runs)::float / sum(runs), 0) as waiting_share,
          greatest(0, coalesce(extract(epoch from now() - min(oldest)), 0))::float as oldest_seconds from queued) q,
        (select coalesce(sum(runs), 0)::int as under_way, coalesce(max(runs)::float / sum(runs), 0) as under_way_share from running) r`,
    values: [],
  });
  return row ?? { waiting: 0, oldestSeconds: 0, waitingShare: 0, underWay: 0, underWayShare: 0 };
}

/** Makes due again what a claim of this worker took whose response was lost: `held` are those it knows of. Returns how many. */
export async function releaseUnknownClaims(db: Database, worker: string, held: readonly string[]): Promise<number> {
  const [row] = await db.call<'release_unknown_claims', { released: number }>({
    name: 'release_unknown_claims',
    prepare: false,
    text: 'select release_unknown_claims($1, $2::uuid[]) as released',
    values: [worker, held],
  });
  return row?.released ?? 0;
}

/** Ends the leases of all other workers. Only for a process that alone uses the database. Returns how many. */
export async function expireDispatchLeases(db: Database, worker: string): Promise<number> {
  const [row] = await db.call<'expire_dispatch_leases', { expired: number }>({
    name: 'expire_dispatch_leases',
    prepare: false,
    text: 'select expire_dispatch_leases($1) as expired',
    values: [worker],
  });
  return row?.expired ?? 0;
}

/** Makes at most `most` retries due at once, the oldest first, when the engine can be reached again or to find out. Returns how many. */
export async function releaseDelayedDispatches(db: Database, most: number): Promise<number> {
  const [row] = await db.call<'executions_release_delayed_dispatches', { released: number }>({
    name: 'executions_release_delayed_dispatches',
    prepare: false,
    text: 'select release_delayed_dispatches($1) as released',
    values: [most],
  });
  return row?.released ?? 0;
}

/** Lists executions of a workflow that wait in the queue unclaimed. */
export async function listQueued(tx: SystemTx, workflowId: string, batch: number): Promise<string[]> {
  const rows = await runStatement<'dispatch_waiting_of', { executionId: string }>(tx, {
    name: 'dispatch_waiting_of',
    text: 'select execution_id from dispatch where workflow_id = $1 and claimed_until is null order by execution_id limit $2',
    values: [workflowId, batch],
  });
  return rows.map((row) => row.executionId);
}
