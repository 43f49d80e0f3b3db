import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

/** The note of an approval is written for staff. */
export const planRequests = defineKind({
  name: 'plan-requests',
  about: 'Requests of the agency for another plan or other terms.',
  reach: 'partner',
  read: (tx, scope, after, limit) =>
    runStatement<'export_plan_requests'>(tx, {
      name: 'export_plan_requests',
      prepare: false,
      text: `select t.id, t.kind, t.status, t.applicant_email, t.applicant_name, t.plan_id, t.desired::text as desired, t.requested_by,
          case when t.status <> 'approved' then t.decision_note end as decision_note, t.created_at, t.decided_at
        from plan_request t where t.partner_id = $1 and ($2::uuid is null or t.id > $2) order by t.id limit $3`,
      values: [scope.partnerId, after, limit],
    }),
  columns: {
    id: 'value',
    kind: 'value',
    status: 'value',
    applicantEmail: 'value',
    applicantName: 'value',
    planId: 'value',
    desired: 'json',
    requestedBy: 'value',
    decisionNote: 'value',
    createdAt: 'value',
    decidedAt: 'value',
  },
});
