import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const invitations = defineKind({
  name: 'invitations',
  about: 'Invitations by e-mail, without their links.',
  reach: 'agency',
  read: (tx, scope, after, limit) =>
    runStatement<'export_invitations'>(tx, {
      name: 'export_invitations',
      prepare: false,
      text: `select t.id, t.kind, t.client_id, t.email, t.full_name, t.partner_role, t.status, t.email_status, t.resend_count,
          u.id as invited_by, t.sent_at, t.expires_at, t.accepted_at, t.revoked_at, t.created_at
        from invitation t left join app_user u on u.id = t.invited_by
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    kind: 'value',
    clientId: 'value',
    email: 'value',
    fullName: 'value',
    partnerRole: 'value',
    status: 'value',
    emailStatus: 'value',
    resendCount: 'value',
    invitedBy: 'value',
    sentAt: 'value',
    expiresAt: 'value',
    acceptedAt: 'value',
    revokedAt: 'value',
    createdAt: 'value',
  },
});
