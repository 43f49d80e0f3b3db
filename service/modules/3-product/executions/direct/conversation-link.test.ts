import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { newId } from '#platform/ids.ts';

/** From a run to the conversation that it answered, and back. */

let service: ExecutionService;
let workflowId: string;
let chatbotId: string;

before(async () => {
  service = await startExecutionService();
  workflowId = await service.addAgent({ templateVersion: 2 });
  service.engine.direct = async (_flow, body) => ({ kind: 'answered', body: { workflowId: body['workflowId'], status: 'SUCCEEDED' } });
  const { partnerId, clientId } = service.world;
  const [row] = await service.query<{ id: string }>(
    "insert into chatbot (partner_id, client_id, name, greeting, provider, model) values ($1, $2, 'Bot', 'Hello', 'openai', 'm') returning id",
    [partnerId, clientId],
  );
  chatbotId = row?.id ?? '';
});
after(() => service.close());

/** A conversation with one turn that ran the agent. */
async function answered(): Promise<{ conversationId: string; turnId: string }> {
  const { partnerId, clientId } = service.world;
  const [conversation] = await service.query<{ id: string }>(
    "insert into conversation (partner_id, client_id, chatbot_id, visitor_label) values ($1, $2, $3, 'Visitor') returning id",
    [partnerId, clientId, chatbotId],
  );
  const conversationId = conversation?.id ?? '';
  const turnId = newId();
  await service.query('insert into conversation_turn (id, partner_id, client_id, conversation_id) values ($1, $2, $3, $4)', [
    turnId,
    partnerId,
    clientId,
    conversationId,
  ]);
  const input = { callerNumber: '+13125550121', businessNumber: '+13125550100' };
  const run = await service.executions.runDirectly({ turnId, workflowId, input, scope: { partnerId, clientId } });
  assert.equal(run.kind, 'succeeded');
  return { conversationId, turnId };
}

it('a run of a conversation names it, on its page and in lists, for everyone who sees the run; other runs name none', async () => {
  const { conversationId, turnId } = await answered();
  const other = (await service.ingest(workflowId, CALL)).body.executionId;
  for (const as of ['staff', 'owner', 'moderator', 'clientUser'] as const) {
    const page = await service.call('GET', `/executions/${turnId}`, { as });
    assert.deepEqual([page.body.conversationId, page.body.source], [conversationId, 'chatbot'], as);
    assert.equal(page.body.summary, 'Texted +1 312 ··· 0121, as asked in the chat', as);
    const missed = await service.call('GET', `/executions/${other}`, { as });
    assert.equal(missed.body.summary, 'Texting +1 312 ··· 0121 after a missed call', as);
  }
  const { data } = (await service.call('GET', `/executions?workflowId=${workflowId}`, { as: 'owner' })).body;
  const named = new Map(data.map((run: { id: string; conversationId: string | null }) => [run.id, run.conversationId]));
  assert.deepEqual([named.get(turnId), named.get(other)], [conversationId, null]);
});

it('runs are listed by conversation, and for no one else', async () => {
  const { conversationId, turnId } = await answered();
  await answered();
  const listed = async (as: 'owner' | 'clientUser' | 'otherClientUser' | 'rivalOwner') =>
    (await service.call('GET', `/executions?conversationId=${conversationId}`, { as })).body.data.map((run: { id: string }) => run.id);
  assert.deepEqual([await listed('owner'), await listed('clientUser')], [[turnId], [turnId]]);
  assert.deepEqual([await listed('otherClientUser'), await listed('rivalOwner')], [[], []]);
});

it('once the conversation is no longer kept, the run remains and names none', async () => {
  const { conversationId, turnId } = await answered();
  await service.query('delete from conversation where id = $1', [conversationId]);
  const page = await service.call('GET', `/executions/${turnId}`, { as: 'owner' });
  assert.deepEqual([page.status, page.body.conversationId, page.body.status], [200, null, 'SUCCEEDED']);
});
