import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const credentials = defineKind({
  name: 'credentials',
  about: 'Which keys of third-party services are stored. The keys themselves are not part of an export.',
  reach: 'client',
  read: (tx, scope, after, limit) =>
    runStatement<'export_credentials'>(tx, {
      name: 'export_credentials',
      prepare: false,
      text: `select t.id, t.client_id, t.provider, t.source_mode, t.last_check_ok, t.last_check_at, t.last_check_message, t.last_used_at,
          t.created_at, t.updated_at
        from credential t
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    clientId: 'value',
    provider: 'value',
    sourceMode: 'value',
    lastCheckOk: 'value',
    lastCheckAt: 'value',
    lastCheckMessage: 'agency',
    lastUsedAt: 'value',
    createdAt: 'value',
    updatedAt: 'value',
  },
});
