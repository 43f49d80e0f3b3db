import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { acceptItem } from '@partner-portal/tests/harness/accept-item.ts';
import { addVisitorConversation } from '@partner-portal/tests/harness/conversations.ts';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { newId } from '#platform/ids.ts';
import { finishExecutions } from '../report/finish-batch.ts';
import { acceptExecutions } from './store-accept.ts';

/** Runs that turns of visitors start: they count for the budgets of their conversation, and end with what they really cost. */

const COST = 2;
let service: ExecutionService;
let workflowId: string;
let conversationId: string;
let visitor: string;
before(async () => {
  service = await startExecutionService();
  workflowId = await service.addAgent();
  await service.query('update workflow set credits_per_run = $2 where id = $1', [workflowId, COST]);
});
after(() => service.close());
beforeEach(async () => {
  const { partnerId, clientId } = service.world;
  conversationId = await addVisitorConversation(service, { partnerId, clientId });
  visitor = newId();
  await service.query(
    `update partner_quota set monthly_credits = 1000, used = 0, in_flight = 0, chat_used = 0, chat_in_flight = 0, chat_conversation_credits = 60, chat_visitor_credits = 120,
      chatbot_credits = 300 where partner_id = $1`,
    [partnerId],
  );
  await service.query('delete from chat_spending');
});

/** Begins a turn of the conversation, whose run has its id. */
async function turnOf(conversation: string): Promise<string> {
  const { partnerId, clientId } = service.world;
  const id = newId();
  await service.query(
    `update conversation_turn set state = 'done', finished_at = now() where conversation_id = $1 and finished_at is null`,
    [conversation],
  );
  await service.query(
    `insert into conversation_turn (id, partner_id, client_id, conversation_id, state, visitor) values ($1, $2, $3, $4, 'running', $5)`,
    [id, partnerId, clientId, conversation, visitor],
  );
  return id;
}

async function accept(...turns: string[]): Promise<string[]> {
  const results = await acceptExecutions(
    service.db,
    turns.map((executionId) => acceptItem(workflowId, { executionId, source: 'chatbot' })),
    100,
  );
  return results.map(({ outcome }) => outcome);
}

async function end(turn: string, status: 'SUCCEEDED' | 'FAILED', aiCredits = 0): Promise<void> {
  const error = status === 'FAILED' ? { code: 'step_failed', message: 'x', stepName: null } : null;
  const rest = { summary: null, output: null, steps: null, contact: null, optOut: null };
  await finishExecutions(service.db, [{ executionId: turn, workflowId, status, error, aiCredits, ...rest }], { fromTimeout: false });
}

async function spending(): Promise<Record<string, number>> {
  const rows = await service.query<{ scope: string; used: number; held: number }>('select scope, used, held from chat_spending');
  assert.ok(rows.every(({ held }) => held === 0));
  return Object.fromEntries(rows.map(({ scope, used }) => [scope, used]));
}

async function period(): Promise<number[]> {
  const [row] = await service.query<{ of: number[] }>(
    'select array[used, in_flight, chat_used, chat_in_flight] as of from partner_quota where partner_id = $1',
    [service.world.partnerId],
  );
  return row?.of ?? [];
}

describe('a run of a visitor’s turn', () => {
  it('counts for its conversation, its visitor and its chatbot, and at its end with its tokens', async () => {
    const turn = await turnOf(conversationId);
    assert.deepEqual(await accept(turn), ['accepted']);
    assert.deepEqual(await spending(), { conversation: COST, visitor: COST, chatbot: COST });
    assert.deepEqual(await period(), [0, COST, 0, COST]);
    await end(turn, 'SUCCEEDED', 5);
    assert.deepEqual(await spending(), { conversation: COST + 5, visitor: COST + 5, chatbot: COST + 5 });
    assert.deepEqual(await period(), [COST + 5, 0, COST + 5, 0]);
  });

  it('that fails costs nothing', async () => {
    const turn = await turnOf(conversationId);
    await accept(turn);
    await end(turn, 'FAILED');
    assert.deepEqual(await spending(), { conversation: 0, visitor: 0, chatbot: 0 });
    assert.deepEqual(await period(), [0, 0, 0, 0]);
  });

  for (const [column, limit] of [
    ['chat_conversation_credits', 'conversation'],
    ['chat_visitor_credits', 'visitor'],
    ['chatbot_credits', 'chatbot'],
  ] as const)
    it(`is not started when the budget of its ${limit} has no room`, async () => {
      await service.query(`update partner_quota set ${column} = $2 where partner_id = $1`, [service.world.partnerId, COST]);
      const [first, second] = [await turnOf(conversationId), await turnOf(conversationId)];
      assert.deepEqual([await accept(first), await accept(second)], [['accepted'], ['chat_budget_exceeded']]);
      assert.deepEqual(await spending(), { conversation: COST, visitor: COST, chatbot: COST });
      assert.deepEqual(await period(), [0, COST, 0, COST]);
    });

  it('shares a budget with those of its batch', async () => {
    const { partnerId, clientId } = service.world;
    await service.query('update partner_quota set chat_visitor_credits = $2 where partner_id = $1', [partnerId, COST * 2 + 1]);
    const talks = [conversationId];
    for (let n = 0; n < 4; n += 1) talks.push(await addVisitorConversation(service, { partnerId, clientId }));
    const turns = [];
    for (const talk of talks) turns.push(await turnOf(talk));
    const outcomes = await accept(...turns);
    assert.deepEqual(outcomes.filter((outcome) => outcome === 'accepted').length, 2);
    assert.equal((await spending())['visitor'], COST * 2);
  });
});
