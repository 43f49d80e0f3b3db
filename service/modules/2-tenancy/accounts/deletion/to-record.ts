import { toPeople } from '../person.ts';
import type { DeletionRow } from './store-deletions.ts';

/** The record of the API. */
export function toRecord(row: DeletionRow) {
  return {
    id: row.id,
    scope: row.scope,
    partnerId: row.partnerId,
    clientId: row.clientId,
    accountName: row.accountName,
    partnerName: row.partnerName,
    reason: row.reason,
    status: row.status,
    ...toPeople(row),
    decisionNote: row.decisionNote,
    purgeAfter: row.purgeAfter,
    previousStatus: row.previousStatus,
    createdAt: row.createdAt,
    decidedAt: row.decidedAt,
    completedAt: row.completedAt,
  };
}
