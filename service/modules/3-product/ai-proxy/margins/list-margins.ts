import { majorOf } from '@partner-portal/core/billing/currency.ts';
import { PROVIDER_RULES } from '@partner-portal/core/credential/provider-rules.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import type { CsvAnswer } from '#platform/http/answer.ts';
import { onePage } from '#platform/http/csv-list.ts';
import { refuse } from '#platform/refuse.ts';
import { listMarginRows, type MarginRow } from './store-margins.ts';

const DEFAULT_DAYS = 30;
const DAYS_MAX = 400;
const DAY_MS = 86_400_000;

type Period = { from?: string | undefined; to?: string | undefined };

/** Lists what platform keys earned and cost by day (UTC), provider and model, newest first; both days belong to the period. */
export async function listMargins({ db }: { db: Database }, actor: Actor, query: Period, now: Date): Promise<MarginRow[]> {
  const to = query.to ?? now.toISOString().slice(0, 10);
  const from = query.from ?? new Date(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  if (from > to) return refuse('invalid_query', { detail: 'The query parameter "from" is after "to".' });
  if (Date.parse(to) - Date.parse(from) > DAYS_MAX * DAY_MS)
    return refuse('invalid_query', { detail: `The period may have ${DAYS_MAX} days at most.` });
  return db.asStaff(actor, (tx) => listMarginRows(tx, { from: new Date(from), before: new Date(Date.parse(to) + DAY_MS) }));
}

const COLUMNS = ['Day', 'Provider', 'Model', 'Calls', 'Input tokens', 'Output tokens', 'Credits', 'Revenue', 'Cost', 'Margin', 'Currency'];

export async function exportMargins(deps: { db: Database }, actor: Actor, query: Period, now: Date): Promise<CsvAnswer> {
  const rows = await listMargins(deps, actor, query, now);
  const lines = rows.map((row) => [
    row.day,
    PROVIDER_RULES[row.provider].title,
    row.model,
    row.calls,
    row.inputTokens,
    row.outputTokens,
    row.credits,
    row.revenueMinor === null ? null : money(row.revenueMinor, row.currency),
    money(row.costMinor, row.currency),
    row.revenueMinor === null ? null : money(row.revenueMinor - row.costMinor, row.currency),
    row.currency,
  ]);
  return { kind: 'csv', filename: `ai-margins-${now.toISOString().slice(0, 10)}.csv`, columns: COLUMNS, pages: onePage(lines) };
}

/** A single call costs a fraction of a cent. A number, since a text that begins with a minus is no number in a spreadsheet (`csvLine`). */
function money(minor: number, currency: string): number {
  return Number(majorOf(minor, currency).toFixed(4));
}
