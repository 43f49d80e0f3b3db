import { type AcceptDecision, type BodyProblem, LOGGED_STATUSES } from '@partner-portal/core/execution/acceptance.ts';
import type { AskedByText } from '@partner-portal/core/contact/opt-out.ts';
import type { EndedPlan } from '@partner-portal/core/template/follow-ups.ts';
import type { ExecutionSource } from '@partner-portal/contract/vocabulary.ts';
import type { Database } from '#platform/db/tx.ts';
import { arraysOf, type ItemColumns } from '#platform/db/item-columns.ts';
import type { TypedStatement } from '#platform/db/statements.ts';

/** Statements that accept events. Each is one call of a definer function, so it opens no tenant transaction and crosses partners. */

/** One event that is to become an execution. JSON members are texts that PostgreSQL can store. */
export type AcceptItem = {
  executionId: string;
  workflowId: string;
  source: ExecutionSource;
  input: string;
  /** Bytes of `input`. */
  inputBytes: number;
  summary: string;
  overRate: boolean;
  /** Why the body cannot be used; the checks before the body take precedence. */
  bodyProblem: BodyProblem | null;
  keyHash: Buffer | null;
  senderAddress: string | null;
  preview: string | null;
  rerunOf: string | null;
  scopePartner: string | null;
  scopeClient: string | null;
  timeoutMinutes: number;
  latestVersion: number;
  contact: string | null;
  /** The contact is a phone number that the flow may text. */
  texts: boolean;
  /** The audit entry of the user who started it, written with the execution; null for an incoming event. */
  audit: string | null;
  /** Fingerprint of the body that came with a caller's key; null when bodies are not compared. */
  bodyHash: Buffer | null;
  /** A number that the flow may text (E.164), when it is another than the contact. */
  textedNumber: string | null;
  /** The keyword request in the text of the event, besides an answer. */
  asked: AskedByText | null;
  /** Values that are understood as another one than came (JSON); null when there are none. */
  understood: string | null;
  /** Remarks made while the event was read (JSON, `EventRemark[]`); null without any. */
  remarks: string | null;
  /** Remark for the inbound log on why the event is a repeat, when it is one. */
  repeatRemark: string | null;
  /** The facts by which it was read (`WorkflowFacts`); null when it was not. */
  basis: string | null;
  /** Why the event ends the plan of its quote or visit. */
  endedPlan: EndedPlan | null;
};

/** `key`: the input that it is about; null for the whole event. */
export type EventRemark = { key: string | null; remark: string };

/**
 * `retry`: another event with the same key is being accepted right now, or others of its batch may not get the last credits. `busy`: too many bytes of
 * this partner are being accepted. `reread`: its client or the agent's place of event ids changed since the facts by which it was read.
 */
export type AcceptOutcome = AcceptDecision | 'retry' | 'busy' | 'reread';

export type AcceptResult = {
  outcome: AcceptOutcome;
  executionId: string;
  partnerId: string | null;
  clientId: string | null;
  quotaUsed: number | null;
  quotaLimit: number | null;
  /** Runs of the partner that may fail today. */
  failuresFree: number | null;
};

export const ACCEPT_COLUMNS: ItemColumns<AcceptItem> = {
  execution_ids: ['uuid[]', (item) => item.executionId],
  workflow_ids: ['uuid[]', (item) => item.workflowId],
  sources: ['text[]', (item) => item.source],
  inputs: ['jsonb[]', (item) => item.input],
  input_bytes: ['int[]', (item) => item.inputBytes],
  summaries: ['text[]', (item) => item.summary],
  over_rate: ['boolean[]', (item) => item.overRate],
  body_problems: ['text[]', (item) => item.bodyProblem],
  key_hashes: ['bytea[]', (item) => item.keyHash],
  sender_addresses: ['text[]', (item) => item.senderAddress],
  previews: ['text[]', (item) => item.preview],
  reruns: ['uuid[]', (item) => item.rerunOf],
  scope_partners: ['uuid[]', (item) => item.scopePartner],
  scope_clients: ['uuid[]', (item) => item.scopeClient],
  timeout_minutes: ['int[]', (item) => item.timeoutMinutes],
  latest_versions: ['int[]', (item) => item.latestVersion],
  contacts: ['text[]', (item) => item.contact],
  texts: ['boolean[]', (item) => item.texts],
  audits: ['jsonb[]', (item) => item.audit],
  body_hashes: ['bytea[]', (item) => item.bodyHash],
  texted_numbers: ['text[]', (item) => item.textedNumber],
  keywords: ['text[]', (item) => item.asked?.keyword ?? null],
  keyword_contacts: ['text[]', (item) => item.asked?.contact ?? null],
  keyword_found_by: ['text[]', (item) => item.asked?.foundBy ?? null],
  understood: ['jsonb[]', (item) => item.understood],
  remarks: ['jsonb[]', (item) => item.remarks],
  repeat_remarks: ['text[]', (item) => item.repeatRemark],
  bases: ['text[]', (item) => item.basis],
  ended_plans: ['text[]', (item) => item.endedPlan],
};

/** The list of parameters is `parameterList(ACCEPT_COLUMNS)`, written out so that the statement can be checked against the schema. */
export const ACCEPT_TEXT = `select outcome, execution_id, partner_id, client_id, quota_used, quota_limit, failures_free from accept_executions($1::uuid[], $2::uuid[], $3::text[], $4::jsonb[], $5::int[], $6::text[], $7::boolean[], $8::text[], $9::bytea[], $10::text[], $11::text[], $12::uuid[], $13::uuid[], $14::uuid[], $15::int[], $16::int[], $17::text[], $18::boolean[], $19::jsonb[], $20::bytea[], $21::text[], $22::text[], $23::text[], $24::text[], $25::jsonb[], $26::jsonb[], $27::text[], $28::text[], $29::text[], $30::int, $31::jsonb) order by ord`;

const STATUSES = JSON.stringify(LOGGED_STATUSES);

/** Accepts or refuses events, many in one statement; one result per item, in order. `failedFree`: FAILED_RUNS_FREE_PER_DAY. */
export function acceptExecutions(db: Database, items: readonly AcceptItem[], failedFree: number): Promise<AcceptResult[]> {
  const values = [...arraysOf(ACCEPT_COLUMNS, items), failedFree, STATUSES] as unknown as NonNullable<
    TypedStatement<'accept_executions'>['values']
  >; // the columns are those of the text
  return db.call<'accept_executions', AcceptResult>({ name: 'accept_executions', text: ACCEPT_TEXT, values });
}

/** Deletes idempotency keys older than a day, a batch at a time. Returns how many were deleted. */
export async function sweepIdempotencyKeys(db: Database, batch: number): Promise<number> {
  const [row] = await db.call<'sweep_idempotency_keys', { swept: number }>({
    name: 'sweep_idempotency_keys',
    text: 'select sweep_idempotency_keys($1) as swept',
    values: [batch],
  });
  return row?.swept ?? 0;
}
