import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const people = defineKind({
  name: 'people',
  about: 'Everyone who can log in. Passwords and second factors are not part of an export.',
  reach: 'client',
  read: (tx, scope, after, limit) =>
    runStatement<'export_people'>(tx, {
      name: 'export_people',
      prepare: false,
      text: `select t.id, t.client_id, t.email, t.full_name, t.role, t.partner_role, t.status, t.timezone, t.locale, t.theme, t.mfa_enabled,
          t.last_auth_method, t.last_login_at, t.created_at, t.updated_at
        from app_user t
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    clientId: 'value',
    email: 'value',
    fullName: 'value',
    role: 'value',
    partnerRole: 'value',
    status: 'value',
    timezone: 'value',
    locale: 'value',
    theme: 'value',
    mfaEnabled: 'value',
    lastAuthMethod: 'value',
    lastLoginAt: 'value',
    createdAt: 'value',
    updatedAt: 'value',
  },
});
