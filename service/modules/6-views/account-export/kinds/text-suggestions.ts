import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const textSuggestions = defineKind({
  name: 'text-suggestions',
  about: 'Texts of agents that a client suggested to change.',
  reach: 'client',
  read: (tx, scope, after, limit) =>
    runStatement<'export_text_suggestions'>(tx, {
      name: 'export_text_suggestions',
      prepare: false,
      text: `select t.id, t.client_id, t.workflow_id, t.key, t.before, t.text, t.note, t.status, t.suggested_by_name, t.decided_by_name, t.decision_note,
          t.decided_at, t.created_at
        from text_suggestion t
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    clientId: 'value',
    workflowId: 'value',
    key: 'value',
    before: 'value',
    text: 'value',
    note: 'value',
    status: 'value',
    suggestedByName: 'value',
    decidedByName: 'value',
    decisionNote: 'value',
    decidedAt: 'value',
    createdAt: 'value',
  },
});
