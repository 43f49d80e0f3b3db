import { templateTextsOf } from '@partner-portal/catalog/index.ts';
import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { readerLocale } from '#modules/2-tenancy/identity/index.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database } from '#platform/db/tx.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { workflowExists } from './store-detail.ts';
import { eventRemarks, inputReadings } from './input-readings.ts';
import { countWorkflow, type InboundEventRow, listDays, listInbound } from './store-workflow.ts';

/** Lists accepted and refused ingest calls of one workflow, newest first; stored for 14 days. */
export async function listInboundEvents(
  deps: { db: Database; cursors: Cursors; templateOf: (name: string) => Template | undefined },
  actor: Actor,
  workflowId: string,
  query: { limit: number; cursor?: string | undefined; outcome?: string | undefined },
) {
  const bound = { workflowId, outcome: query.outcome, list: 'inbound' };
  return inScope(deps.db, actor, undefined, async (tx) => {
    const [before = null] = deps.cursors.open(bound, query.cursor) ?? [];
    const found = await listInbound(tx, workflowId, query.outcome, before, query.limit + 1);
    const locale = await readerLocale(tx, actor);
    const rows = found.map((row) => toInbound(deps, row, locale));
    if (rows.length === 0 && !(await workflowExists(tx, workflowId))) return refuse('not_found');
    return toPage(
      rows,
      query.limit,
      (row) => [row.id],
      (position) => deps.cursors.seal(bound, position),
    );
  });
}

/** Bodies are masked in the inbound log, and what was understood of them as well. */
function toInbound({ templateOf }: { templateOf: (name: string) => Template | undefined }, row: InboundEventRow, locale: Locale) {
  const { templateName, timezone, came, understood, remarks, ...event } = row;
  const template = templateName === null ? undefined : templateOf(templateName);
  return {
    ...event,
    understood: inputReadings(
      template && templateTextsOf(template, locale),
      { came, understood, remarks },
      { locale, timezone, isMasked: true },
    ),
    remarks: eventRemarks({ understood, remarks }),
  };
}

/** Columns of the CSV export; bodies are masked as in the inbound log. */
export const INBOUND_COLUMNS: CsvColumns<ReturnType<typeof toInbound>> = [
  ['Event', (row) => row.id],
  ['Received', (row) => row.receivedAt],
  ['Outcome', (row) => row.outcome],
  ['Status', (row) => row.status],
  ['Reason', (row) => row.reason],
  ['Sender', (row) => row.senderAddress],
  ['Body', (row) => row.bodyPreview],
  ['Run', (row) => row.executionId],
];

const DAYS = { '7d': 7, '30d': 30, '90d': 90 };

/** Counts the executions of one workflow per day. */
export async function readWorkflowStats(deps: { db: Database }, actor: Actor, workflowId: string, range: keyof typeof DAYS) {
  return inScope(deps.db, actor, undefined, async (tx) => {
    const days = await listDays(tx, workflowId, DAYS[range]);
    // The days are in the workflow's time zone; without a workflow there are none.
    if (days.length === 0) return refuse('not_found');
    return days;
  });
}

/** Counts what each step of one workflow did in its newest runs, and its newest calls. */
export async function readWorkflowCounts(deps: { db: Database }, actor: Actor, workflowId: string) {
  return inScope(deps.db, actor, undefined, async (tx) => {
    const row = await countWorkflow(tx, workflowId);
    if (!row) return refuse('not_found');
    const { runs, failed, steps, accepted, loggedAccepted, refused, isMore } = row;
    return { runs, failed, steps, inbound: { accepted: accepted + loggedAccepted, refused, isMore } };
  });
}
