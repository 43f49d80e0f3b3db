import type { ExecutionSource } from '@partner-portal/contract/vocabulary.ts';
import type { Database } from '#platform/db/tx.ts';

/**
 * The statements of the hot path: each is one call of a definer function that takes arrays and answers per item
 * (migration 0007). They open no tenant transaction, which is why they live apart from store.ts.
 */

/** One event that wants to become a run. JSON members are ready-made texts that PostgreSQL can store. */
export type AcceptItem = {
  executionId: string;
  workflowId: string;
  source: ExecutionSource;
  input: string;
  summary: string;
  overRate: boolean;
  /** Why the body cannot be used; the checks that come before the body still answer first. */
  bodyProblem: 'missing_input' | 'malformed_json' | 'too_large' | 'unsupported_media_type' | 'validation_failed' | null;
  keyHash: Buffer | null;
  senderAddress: string | null;
  preview: string | null;
  rerunOf: string | null;
  scopePartner: string | null;
  scopeClient: string | null;
  timeoutMinutes: number;
  latestVersion: number;
  contact: string | null;
  /** The audit line of the person who asked, written with the run; null for an event from outside. */
  audit: string | null;
};

export type AcceptOutcome =
  | 'accepted'
  | 'replayed'
  | 'retry'
  | 'not_found'
  | 'account_suspended'
  | 'workflow_inactive'
  | 'rate_limited'
  | 'quota_exceeded'
  | NonNullable<AcceptItem['bodyProblem']>;

export type AcceptResult = {
  outcome: AcceptOutcome;
  executionId: string;
  partnerId: string | null;
  clientId: string | null;
  quotaUsed: number | null;
  quotaLimit: number | null;
};

const ACCEPT = `select outcome, execution_id, partner_id, client_id, quota_used, quota_limit from accept_executions(
    $1::uuid[], $2::uuid[], $3::text[], $4::jsonb[], $5::text[], $6::boolean[], $7::text[], $8::bytea[], $9::text[], $10::text[],
    $11::uuid[], $12::uuid[], $13::uuid[], $14::int[], $15::int[], $16::text[], $17::jsonb[]) order by ord`;

export function acceptExecutions(db: Database, items: readonly AcceptItem[]): Promise<AcceptResult[]> {
  // A column that no item fills is sent as null: unnest makes it a column of nulls, and nobody writes or reads its members.
  const pick = <K extends keyof AcceptItem>(key: K): AcceptItem[K][] | null => {
    const column = items.map((item) => item[key]);
    return column.every((value) => value === null || value === false) ? null : column;
  };
  return db.call<'accept_executions', AcceptResult>({
    name: 'accept_executions',
    text: ACCEPT,
    values: [
      pick('executionId'),
      pick('workflowId'),
      pick('source'),
      pick('input'),
      pick('summary'),
      pick('overRate'),
      pick('bodyProblem'),
      pick('keyHash'),
      pick('senderAddress'),
      pick('preview'),
      pick('rerunOf'),
      pick('scopePartner'),
      pick('scopeClient'),
      pick('timeoutMinutes'),
      pick('latestVersion'),
      pick('contact'),
      pick('audit'),
    ],
  });
}

export type WorkflowFacts = { partnerId: string; clientId: string | null; templateName: string };

export async function readWorkflowFacts(db: Database, workflowId: string): Promise<WorkflowFacts | undefined> {
  const [facts] = await db.call<'workflow_facts', WorkflowFacts>({
    name: 'workflow_facts',
    text: 'select * from workflow_facts($1)',
    values: [workflowId],
  });
  return facts;
}

export type ClaimedDispatch = {
  executionId: string;
  partnerId: string;
  workflowId: string;
  clientId: string | null;
  providerFlowId: string | null;
  templateName: string | null;
  attempts: number;
  misses: number;
  input: Record<string, unknown> | null;
  config: Record<string, unknown> | null;
  clientName: string;
  timezone: string;
  businessProfile: Record<string, string>;
  lastContactAt: Date | null;
  optedOut: boolean;
};

export function claimDispatches(
  db: Database,
  worker: string,
  options: { batch: number; share: number; leaseSeconds: number },
): Promise<ClaimedDispatch[]> {
  const { batch, share, leaseSeconds } = options;
  return db.call<'claim_dispatches', ClaimedDispatch>({
    name: 'claim_dispatches',
    text: 'select * from claim_dispatches($1, $2, $3, $4)',
    values: [worker, batch, share, leaseSeconds],
  });
}

export type LapsedDispatch = { executionId: string; providerFlowId: string | null; createdAt: Date };

export function claimLapsedDispatches(
  db: Database,
  worker: string,
  options: { batch: number; leaseSeconds: number },
): Promise<LapsedDispatch[]> {
  return db.call<'claim_expired_dispatches', LapsedDispatch>({
    name: 'claim_expired_dispatches',
    text: 'select * from claim_expired_dispatches($1, $2, $3)',
    values: [worker, options.batch, options.leaseSeconds],
  });
}

/** `again` null takes the row off the queue. */
export type Settlement = { executionId: string; again: { waitMs: number; missed: boolean } | null };

export async function settleDispatches(db: Database, settlements: readonly Settlement[]): Promise<void> {
  const done = settlements.filter((one) => one.again === null).map((one) => one.executionId);
  const again = settlements.filter((one) => one.again !== null);
  await db.call({
    name: 'settle_dispatches',
    text: 'select settle_dispatches($1::uuid[], $2::uuid[], $3::int[], $4::boolean[])',
    values: [
      done,
      again.map((one) => one.executionId),
      again.map((one) => one.again?.waitMs ?? 0),
      again.map((one) => one.again?.missed ?? false),
    ],
  });
}

/** What waits only because the engine was away is due again, in the order in which it came. */
export async function releaseDelayedDispatches(db: Database): Promise<void> {
  await db.call({ name: 'executions_release_delayed_dispatches', prepare: false, text: 'select release_delayed_dispatches()', values: [] });
}

export type ReportFacts = { ord: number; templateName: string | null; input: Record<string, unknown> | null; onPlatformKey: boolean };

export function readReportFacts(db: Database, asked: readonly { executionId: string; provider: string | null }[]): Promise<ReportFacts[]> {
  return db.call<'report_facts', ReportFacts>({
    name: 'report_facts',
    text: 'select * from report_facts($1::uuid[], $2::text[])',
    values: [asked.map((one) => one.executionId), asked.map((one) => one.provider)],
  });
}

export type FinishItem = {
  executionId: string;
  workflowId: string;
  status: 'SUCCEEDED' | 'FAILED';
  summary: string | null;
  output: string | null;
  steps: string | null;
  error: { code: string; message: string; stepName: string | null } | null;
  contact: string | null;
  optOut: string | null;
  aiCredits: number;
};
export type FinishResult = { found: boolean; applied: boolean; partnerId: string | null };

const FINISH = `select found, applied, partner_id from finish_executions($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::jsonb[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::int[], $13, $14) order by ord`;

export function finishExecutions(
  db: Database,
  items: readonly FinishItem[],
  options: { fromTimeout: boolean; portalUrl: string },
): Promise<FinishResult[]> {
  const pick = <T>(read: (item: FinishItem) => T): T[] => items.map(read);
  return db.call<'finish_executions', FinishResult>({
    name: 'finish_executions',
    text: FINISH,
    values: [
      pick((i) => i.executionId),
      pick((i) => i.workflowId),
      pick((i) => i.status),
      pick((i) => i.summary),
      pick((i) => i.output),
      pick((i) => i.steps),
      pick((i) => i.error?.code ?? null),
      pick((i) => i.error?.message ?? null),
      pick((i) => i.error?.stepName ?? null),
      pick((i) => i.contact),
      pick((i) => i.optOut),
      pick((i) => i.aiCredits),
      options.fromTimeout,
      options.portalUrl,
    ],
  });
}

export type OverdueExecution = {
  id: string;
  workflowId: string;
  templateName: string | null;
  input: Record<string, unknown> | null;
  minutes: number;
};

export function readOverdue(db: Database, batch: number): Promise<OverdueExecution[]> {
  return db.call<'overdue_executions', OverdueExecution>({
    name: 'overdue_executions',
    text: 'select * from overdue_executions($1)',
    values: [batch],
  });
}

export async function storeStepTimes(db: Database, executionId: string, steps: string): Promise<void> {
  await db.call({ name: 'store_step_times', text: 'select store_step_times($1, $2::jsonb)', values: [executionId, steps] });
}

export async function sweepIdempotencyKeys(db: Database, batch: number): Promise<number> {
  const [row] = await db.call<'sweep_idempotency_keys', { swept: number }>({
    name: 'sweep_idempotency_keys',
    text: 'select sweep_idempotency_keys($1) as swept',
    values: [batch],
  });
  return row?.swept ?? 0;
}

/** Sends notices that are no part of any transaction, all in one statement. */
export async function sendNotices(db: Pick<Database, 'call'>, notices: readonly { channel: string; payload: string }[]): Promise<void> {
  await db.call({
    name: 'send_notices',
    text: 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as n(channel, payload)',
    values: [notices.map((one) => one.channel), notices.map((one) => one.payload)],
  });
}
