import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';
import { showPayload } from './show-payload.ts';

export const conversationTurns = defineKind({
  name: 'conversation-turns',
  about: 'How chatbots came to their replies: the agent that ran, with what, and its run.',
  reach: 'client',
  batch: 200,
  read: (tx, scope, after, limit) =>
    runStatement<'export_conversation_turns'>(tx, {
      name: 'export_conversation_turns',
      prepare: false,
      text: `select t.id, t.client_id, t.conversation_id, t.state, t.intent, t.workflow_id, t.inputs::text as inputs, t.execution_id, t.outcome::text as outcome,
          t.error_code, t.first_token_ms, t.started_at, t.finished_at
        from conversation_turn t
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  // As runs are shown: a client sees contacts masked and no causes.
  async shape(row, scope, pace) {
    const inputs = await showPayload(row.inputs, scope, pace);
    // Clients do not get the outcome.
    return { ...row, inputs, outcome: scope.audience === 'client' ? null : await showPayload(row.outcome, scope, pace) };
  },
  columns: {
    id: 'value',
    clientId: 'value',
    conversationId: 'value',
    state: 'value',
    intent: 'value',
    workflowId: 'value',
    inputs: 'json',
    executionId: 'value',
    outcome: 'agencyJson',
    errorCode: 'agency',
    firstTokenMs: 'agency',
    startedAt: 'value',
    finishedAt: 'value',
  },
});
