import { reactivatedStatus } from '@partner-portal/core/account/account.ts';
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
    purgeAfter: row.status === 'pending' ? row.purgeAfter : null,
    restores: row.status === 'pending' ? reactivatedStatus(row.previousStatus) : null,
    createdAt: row.createdAt,
    decidedAt: row.decidedAt,
  };
}
