import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const aiCalls = defineKind({
  name: 'ai-calls',
  about: 'Calls of language models with the tokens and credits they cost; no texts.',
  reach: 'agency',
  read: (tx, scope, after, limit) =>
    runStatement<'export_ai_calls'>(tx, {
      name: 'export_ai_calls',
      prepare: false,
      // The platform's cost of a call is not shown to the agency.
      text: `select t.id, t.client_id, u.id as user_id, t.conversation_id, t.turn_id, t.purpose, t.provider, t.model, t.source_mode, t.status, t.input_tokens,
          t.output_tokens, t.is_estimated, t.credits_charged, t.error_code, t.settled_at
        from ai_call t left join app_user u on u.id = t.user_id
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  async count(tx, scope) {
    const [row] = await runStatement<'export_ai_calls_count', { count: number }>(tx, {
      name: 'export_ai_calls_count',
      prepare: false,
      text: 'select count(*) as count from ai_call t where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2)',
      values: [scope.partnerId, scope.clientId],
    });
    return row?.count ?? 0;
  },
  columns: {
    id: 'value',
    clientId: 'value',
    userId: 'value',
    conversationId: 'value',
    turnId: 'value',
    purpose: 'value',
    provider: 'value',
    model: 'value',
    sourceMode: 'value',
    status: 'value',
    inputTokens: 'value',
    outputTokens: 'value',
    isEstimated: 'value',
    creditsCharged: 'value',
    errorCode: 'value',
    settledAt: 'value',
  },
});
