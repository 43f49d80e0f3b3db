import type { DeletionRequestStatus } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import { readInScope } from '#platform/db/scope.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import { refuse } from '#platform/refuse.ts';
import { readScopedPage } from '#modules/1-ledger/scope/index.ts';
import type { AccountsDeps } from '../deps.ts';
import type { RequestQuery } from '../store-requests.ts';
import { findDeletion, listDeletions } from './store-deletions.ts';
import { toRecord } from './to-record.ts';

/** Staff see all requests, an agency its own and its clients', a client its own. */
export function readDeletionRequests(deps: AccountsDeps, actor: Actor, query: RequestQuery<DeletionRequestStatus>) {
  return readScopedPage(deps, actor, query, {
    list: 'deletion-requests',
    rows: listDeletions,
    items: async (_tx, rows) => rows.map(toRecord),
  });
}

export async function readDeletionRequest({ db }: AccountsDeps, actor: Actor, id: string) {
  const row = await readInScope(db, actor, (tx) => findDeletion(tx, id));
  return row ? toRecord(row) : refuse('not_found');
}

/** Columns of the CSV export. */
export const DELETION_COLUMNS: CsvColumns<ReturnType<typeof toRecord>> = [
  ['Request', (row) => row.id],
  ['Scope', (row) => row.scope],
  ['Agency', (row) => row.partnerName],
  ['Account', (row) => row.accountName],
  ['Reason', (row) => row.reason],
  ['Status', (row) => row.status],
  ['Requested', (row) => row.createdAt],
  ['Requested by', (row) => row.requestedBy?.name],
  ['Decided', (row) => row.decidedAt],
  ['Decided by', (row) => row.decidedBy?.name],
  ['Note', (row) => row.decisionNote],
  ['Removed from', (row) => row.purgeAfter],
  ['Removed', (row) => row.completedAt],
];
