import type { ExportRecordRow } from './store.ts';

/** The record of the contract. Staff are named to their own only; a tenant cannot read their rows. */
export function toExportRecord(row: ExportRecordRow) {
  const { clientName, requestedBy, requesterName, requesterEmail, fileId: _file, ...record } = row;
  const person =
    requestedBy === null
      ? null
      : requesterName === null
        ? { id: null, name: 'Platform staff', email: null }
        : { id: requestedBy, name: requesterName, email: requesterEmail };
  return { ...record, accountName: clientName ?? row.partnerName, requestedBy: person };
}
