import type { ClientImportField, ClientImportUndo } from '@partner-portal/contract/vocabulary.ts';
import type { ImportRow, ResultRow } from './store.ts';

export function toImportRecord(row: ImportRow) {
  const { id, filename, mode, created, updated, unchanged, refused, createdAt, undoUntil, undoneAt, removed, restored, kept } = row;
  return {
    id,
    filename,
    mode,
    counts: { created, updated, unchanged, refused },
    createdBy: row.userId === null ? null : { id: row.userId, fullName: row.userName ?? '', email: row.userEmail ?? '' },
    createdAt,
    undoUntil,
    undone: undoneAt && { at: undoneAt, removed, restored, kept },
  };
}

export function toRowRecord({ line, field, ...row }: Omit<ResultRow, 'undo'> & { undo: ClientImportUndo | null }) {
  const { outcome, clientId, name, column, cell, code, reason, undo, undoReason } = row;
  // The reply schema refuses a field that it does not know.
  return { row: line, outcome, clientId, name, field: field as ClientImportField | null, column, cell, code, reason, undo, undoReason };
}
