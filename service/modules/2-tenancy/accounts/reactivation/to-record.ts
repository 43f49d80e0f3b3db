import { toPeople } from '../person.ts';
import type { ReactivationRow } from './store-reactivations.ts';

/** The record of the API. */
export function toRecord(row: ReactivationRow) {
  return {
    id: row.id,
    scope: row.scope,
    partnerId: row.partnerId,
    clientId: row.clientId,
    accountName: row.accountName,
    partnerName: row.partnerName,
    message: row.message,
    status: row.status,
    ...toPeople(row),
    decisionNote: row.decisionNote,
    createdAt: row.createdAt,
    decidedAt: row.decidedAt,
  };
}
