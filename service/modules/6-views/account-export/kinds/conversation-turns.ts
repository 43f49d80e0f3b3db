import { hideSecretsInText } from '@partner-portal/core/execution/payload.ts';
import { maskJson } from '@partner-portal/core/template/mask.ts';
import type { Json } from '@partner-portal/core/template/types.ts';
import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

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
  shape(row, { audience }) {
    const hidden = (text: string | null): string | null => (text === null ? null : hideSecretsInText(text));
    const inputs = hidden(row.inputs);
    if (audience === 'agency') return { ...row, inputs, outcome: hidden(row.outcome) };
    return { ...row, inputs: inputs === null ? null : JSON.stringify(maskJson(JSON.parse(inputs) as Json)) }; // stored as JSON
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
