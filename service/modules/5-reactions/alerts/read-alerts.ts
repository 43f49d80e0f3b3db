import { alertPath } from '@partner-portal/core/alert/alert.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import { toPage } from '#platform/http/cursor.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import type { AlertsDeps } from './deps.ts';
import { type AlertFilters, type AlertRow, listAlerts } from './store.ts';

export type AlertQuery = Omit<AlertFilters, 'partnerId'> & { partnerId?: string | undefined; limit: number; cursor?: string | undefined };

/** One page of alerts in scope, newest first. */
export async function readAlerts(deps: AlertsDeps, actor: Actor, query: AlertQuery) {
  const { limit, cursor, partnerId: requested, ...filters } = query;
  return inScope(deps.db, actor, requested, async (tx, partnerId) => {
    const bound = { ...filters, partnerId, list: 'alerts' };
    const [before = null] = deps.cursors.open(bound, cursor) ?? [];
    const rows = await listAlerts(tx, { ...filters, partnerId }, before, limit + 1);
    await refuseUnknownScope(tx, { partnerId, clientId: filters.clientId }, rows.length);
    const page = toPage(
      rows,
      limit,
      (row) => [row.id],
      (position) => deps.cursors.seal(bound, position),
    );
    return { data: page.data.map(toAlert), nextCursor: page.nextCursor };
  });
}

/** Maps a row to the record of the contract. */
export function toAlert({ subjectType: type, subjectId: id, label, ...row }: AlertRow) {
  return { ...row, subject: { type, id, label }, href: alertPath({ type, id }) };
}

export const ALERT_COLUMNS: CsvColumns<ReturnType<typeof toAlert>> = [
  ['Alert', (row) => row.id],
  ['Opened', (row) => row.openedAt],
  ['Rule', (row) => row.rule],
  ['Severity', (row) => row.severity],
  ['Status', (row) => row.status],
  ['Agency', (row) => row.partnerName],
  ['Client', (row) => row.clientName],
  ['Subject', (row) => row.subject.label],
  ['What happened', (row) => row.message],
  ['Acknowledged', (row) => row.acknowledgedAt],
  ['Acknowledged by', (row) => row.acknowledgedByName],
  ['Resolved', (row) => row.resolvedAt],
  ['Resolved by', (row) => row.resolvedByName],
  ['Note', (row) => row.note],
  ['Muted', (row) => row.muted],
];
