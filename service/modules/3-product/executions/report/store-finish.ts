import type { RunTone } from '@partner-portal/contract/vocabulary.ts';
import type { QuotaCrossing } from '@partner-portal/core/quota/thresholds.ts';
import { arraysOf, type ItemColumns } from '#platform/db/item-columns.ts';
import { runStatement, type TypedStatement } from '#platform/db/statements.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';
import type { Span } from '#platform/tracing/tracer.ts';

/** Statements that end executions. Each is one call of a definer function, so it opens no tenant transaction and crosses partners. */

export type ReportFacts = {
  ord: number;
  templateName: string | null;
  input: Record<string, unknown> | null;
  onPlatformKey: boolean;
  /** The published rate of the provider's models; null when the report names none. */
  inputCredits: number | null;
  outputCredits: number | null;
};

/** Reads what is needed to describe ended executions, and which key their language model used. */
export function readReportFacts(
  db: Database,
  reports: readonly { executionId: string; provider: string | null }[],
): Promise<ReportFacts[]> {
  return db.call<'report_facts', ReportFacts>({
    name: 'report_facts',
    text: 'select * from report_facts($1::uuid[], $2::text[])',
    values: [reports.map((one) => one.executionId), reports.map((one) => one.provider)],
  });
}

export type FinishItem = {
  executionId: string;
  workflowId: string;
  status: 'SUCCEEDED' | 'FAILED';
  summary: string | null;
  /** Null for a failed run. */
  tone?: RunTone | null;
  output: string | null;
  steps: string | null;
  error: { code: string; message: string; stepName: string | null } | null;
  contact: string | null;
  optOut: string | null;
  /** How the opt-out was found: by the phone provider, or by the agent when it is not given. */
  optOutFoundBy?: 'provider' | 'agent';
  aiCredits: number;
  /** What ends it, when tracing is on: what the end causes belongs below it. */
  span?: Span | undefined;
  /** It costs no credits, although it succeeded: its person may not, cannot or does not want to be texted. */
  isFree?: boolean;
  /** It neither raises nor ends the failures in a row of its agent: it ended early before a provider did a step for it. */
  isUntried?: boolean;
  /** It ends only while nothing of it was sent, or while it is past its deadline; in any case when it is not given. */
  onlyWhile?: 'queued' | 'overdue' | undefined;
};
/** `ranMs`: since it was handed over to the engine; null when it was not, or had ended before. */
export type FinishResult = { found: boolean; applied: boolean; partnerId: string | null; ranMs: number | null };

export const FINISH_COLUMNS: ItemColumns<FinishItem> = {
  execution_ids: ['uuid[]', (item) => item.executionId],
  workflow_ids: ['uuid[]', (item) => item.workflowId],
  statuses: ['text[]', (item) => item.status],
  summaries: ['text[]', (item) => item.summary],
  outputs: ['jsonb[]', (item) => item.output],
  steps: ['jsonb[]', (item) => item.steps],
  error_codes: ['text[]', (item) => item.error?.code ?? null],
  error_messages: ['text[]', (item) => item.error?.message ?? null],
  error_steps: ['text[]', (item) => item.error?.stepName ?? null],
  contacts: ['text[]', (item) => item.contact],
  opt_outs: ['text[]', (item) => item.optOut],
  opt_outs_found_by: ['text[]', (item) => item.optOutFoundBy ?? 'agent'],
  ai_credits: ['int[]', (item) => item.aiCredits],
  free: ['boolean[]', (item) => item.isFree ?? false],
  only_while: ['text[]', (item) => item.onlyWhile ?? null],
  tones: ['text[]', (item) => item.tone ?? null],
  untried: ['boolean[]', (item) => item.isUntried ?? false],
};

/** The list of parameters is `parameterList(FINISH_COLUMNS)` and two more, written out so that the statement can be checked against the schema. */
export const FINISH_TEXT = `select found, applied, partner_id, crossings, ran_ms from finish_executions($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::jsonb[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::int[], $14::boolean[], $15::text[], $16::text[], $17::boolean[], $18, $19) order by ord`;

type FinishValues = NonNullable<TypedStatement<'finish_executions'>['values']>;

const valuesOf = (items: readonly FinishItem[], fromTimeout: boolean, mayCross: boolean): FinishValues =>
  [...arraysOf(FINISH_COLUMNS, items), fromTimeout, mayCross] as unknown as FinishValues; // the columns are those of the text

/** Ends executions in one statement without a transaction; one result per item, in order. 'crossing' when it would cross a usage threshold: then nothing has changed. */
export async function finishWithoutCrossing(
  db: Database,
  items: readonly FinishItem[],
  fromTimeout: boolean,
): Promise<FinishResult[] | 'crossing'> {
  try {
    return await db.call<'finish_executions', FinishResult>({
      name: 'finish_executions',
      text: FINISH_TEXT,
      values: valuesOf(items, fromTimeout, false),
    });
  } catch (error) {
    // As settle_quota refuses it.
    if (error instanceof Error && 'code' in error && error.code === 'PS409') return 'crossing';
    throw error;
  }
}

/** Like `finishWithoutCrossing` for executions that may cross thresholds, which the caller publishes in the same transaction. */
export async function finishWithCrossings(
  tx: SystemTx,
  items: readonly FinishItem[],
  fromTimeout: boolean,
): Promise<{ results: FinishResult[]; crossings: readonly QuotaCrossing[] }> {
  const rows = await runStatement<'finish_crossing_executions', FinishResult & { crossings: readonly QuotaCrossing[] | null }>(tx, {
    name: 'finish_crossing_executions',
    text: FINISH_TEXT,
    values: valuesOf(items, fromTimeout, true),
  });
  return { results: rows, crossings: rows[0]?.crossings ?? [] };
}
