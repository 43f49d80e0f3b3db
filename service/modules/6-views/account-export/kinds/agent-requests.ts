import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const agentRequests = defineKind({
  name: 'agent-requests',
  about: 'Agents that were requested.',
  reach: 'client',
  batch: 100,
  read: (tx, scope, after, limit) =>
    runStatement<'export_agent_requests'>(tx, {
      name: 'export_agent_requests',
      prepare: false,
      text: `select t.id, t.client_id, t.kind, t.template_name, t.title, t.description, t.config::text as config, t.status, t.origin,
          t.workflow_id, a.id as requested_by, b.id as reviewed_by, t.decision_note, t.failure_message, t.created_at, t.updated_at
        from agent_request t left join app_user a on a.id = t.requested_by left join app_user b on b.id = t.reviewed_by
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    clientId: 'value',
    kind: 'value',
    templateName: 'value',
    title: 'value',
    description: 'value',
    config: 'json',
    status: 'value',
    origin: 'value',
    workflowId: 'value',
    requestedBy: 'agency',
    reviewedBy: 'agency',
    decisionNote: 'agency',
    failureMessage: 'agency',
    createdAt: 'value',
    updatedAt: 'value',
  },
});
