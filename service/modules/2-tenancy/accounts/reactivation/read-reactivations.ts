import type { ReactivationRequestStatus } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import { readScopedPage } from '#modules/1-ledger/scope/index.ts';
import type { AccountsDeps } from '../deps.ts';
import type { RequestQuery } from '../store-requests.ts';
import { listReactivations } from './store-reactivations.ts';
import { toRecord } from './to-record.ts';

/** Staff see all requests, an agency its own and its clients', a client its own. */
export function readReactivationRequests(deps: AccountsDeps, actor: Actor, query: RequestQuery<ReactivationRequestStatus>) {
  return readScopedPage(deps, actor, query, {
    list: 'reactivation-requests',
    rows: listReactivations,
    items: async (_tx, rows) => rows.map(toRecord),
  });
}

/** Columns of the CSV export. */
export const REACTIVATION_COLUMNS: CsvColumns<ReturnType<typeof toRecord>> = [
  ['Request', (row) => row.id],
  ['Scope', (row) => row.scope],
  ['Agency', (row) => row.partnerName],
  ['Account', (row) => row.accountName],
  ['Message', (row) => row.message],
  ['Status', (row) => row.status],
  ['Requested', (row) => row.createdAt],
  ['Requested by', (row) => row.requestedBy?.name],
  ['Decided', (row) => row.decidedAt],
  ['Decided by', (row) => row.decidedBy?.name],
  ['Note', (row) => row.decisionNote],
];
