import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const singleSignOn = defineKind({
  name: 'single-sign-on',
  about: 'The identity provider, without its secret.',
  reach: 'partner',
  key: 'partnerId',
  read: (tx, scope, after, limit) =>
    runStatement<'export_sso'>(tx, {
      name: 'export_sso',
      prepare: false,
      text: `select t.partner_id, t.protocol, t.status, t.enforced, to_jsonb(t.email_domains)::text as email_domains, t.issuer,
          t.oidc_client_id, t.idp_entity_id, t.idp_sso_url, t.last_login_at, t.created_at, t.updated_at
        from sso_connection t
        where t.partner_id = $1 and ($2::uuid is null) and ($3::uuid is null or t.partner_id > $3)
        order by t.partner_id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    partnerId: 'value',
    protocol: 'value',
    status: 'value',
    enforced: 'value',
    emailDomains: 'json',
    issuer: 'value',
    oidcClientId: 'value',
    idpEntityId: 'value',
    idpSsoUrl: 'value',
    lastLoginAt: 'value',
    createdAt: 'value',
    updatedAt: 'value',
  },
});
