import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

/** Who of staff decided is in no export, only that staff did. */
export const accountRequests = defineKind({
  name: 'account-requests',
  about: 'Requests to delete or to reactivate an account, with what became of them.',
  reach: 'agency',
  read: (tx, scope, after, limit) =>
    runStatement<'export_account_requests'>(tx, {
      name: 'export_account_requests',
      prepare: false,
      text: `select t.* from (
          select r.id, 'deletion' as kind, r.scope, r.client_id, r.reason as message, r.status, r.requester_role, r.requested_by, r.decider_role,
            r.decision_note, r.purge_after, r.created_at, r.decided_at from deletion_request r where r.partner_id = $1
          union all select r.id, 'reactivation', r.scope, r.client_id, r.message, r.status, r.requester_role, r.requested_by, r.decider_role,
            r.decision_note, null, r.created_at, r.decided_at from reactivation_request r where r.partner_id = $1) t
        where ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3) order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    kind: 'value',
    scope: 'value',
    clientId: 'value',
    message: 'value',
    status: 'value',
    requesterRole: 'value',
    requestedBy: 'value',
    deciderRole: 'value',
    decisionNote: 'value',
    purgeAfter: 'value',
    createdAt: 'value',
    decidedAt: 'value',
  },
});
