import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const clientImports = defineKind({
  name: 'client-imports',
  about: 'Imports of clients.',
  reach: 'partner',
  read: (tx, scope, after, limit) =>
    runStatement<'export_client_imports'>(tx, {
      name: 'export_client_imports',
      prepare: false,
      text: `select t.id, t.filename, t.mode, t.created, t.updated, t.unchanged, t.refused, t.created_by, t.created_at, t.undone_at, t.undone_by, t.removed, t.restored, t.kept
        from client_import t
        where t.partner_id = $1 and ($2::uuid is null or t.id > $2) order by t.id limit $3`,
      values: [scope.partnerId, after, limit],
    }),
  columns: {
    id: 'value',
    filename: 'value',
    mode: 'value',
    created: 'value',
    updated: 'value',
    unchanged: 'value',
    refused: 'value',
    createdBy: 'value',
    createdAt: 'value',
    undoneAt: 'value',
    undoneBy: 'value',
    removed: 'value',
    restored: 'value',
    kept: 'value',
  },
});
