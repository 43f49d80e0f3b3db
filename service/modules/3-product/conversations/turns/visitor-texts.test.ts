import assert from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import { type ChatService, startChatService } from '@partner-portal/tests/harness/chat.ts';
import { answerText } from '@partner-portal/tests/harness/model-server.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';

/** Texts that a visitor may have agents send: to one number per conversation, with links to the pages of the business only. */

let chat: ChatService;
const reached: Record<string, unknown>[] = [];
before(async () => {
  const templates = new Map(loadBundles().map(({ template }) => [template.name, template]));
  chat = await startChatService({
    templateOf: (name) => templates.get(name),
    runDirectly: async ({ input }) => {
      reached.push(input);
      return { kind: 'succeeded', executionId: null, summary: 'Texted.', output: {}, error: null };
    },
  });
  const { partnerId, clientId } = chat.world;
  await chat.rows(`update client set phone = '+13125550100', website = 'https://oak.example' where id = $1`, [clientId]);
  for (const [n, templateName] of ['missed-call-text-back', 'quote-follow-up'].entries()) {
    const workflowId = await chat.db.asSystem('seed', (tx) => addWorkflow(tx, { partnerId, clientId, templateName }));
    await chat.rows(
      `insert into chatbot_route (chatbot_id, n, partner_id, client_id, intent, workflow_id) values ($1, $2, $3, $4, $5, $6)`,
      [chat.chatbotId, n + 1, partnerId, clientId, templateName, workflowId],
    );
  }
});
after(() => chat.close());
beforeEach(() => {
  reached.length = 0;
});

/** A visitor says something, and the model chooses the agent with these values. */
async function choose(agent: string, values: object, conversationId?: string) {
  chat.models.behave((call, response) =>
    answerText(call, response, [''], { tool: { id: 'c1', name: agent, pieces: [JSON.stringify(values)] } }),
  );
  const { status, body } = await chat.say('Please do.', conversationId === undefined ? {} : { conversationId });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

it('a conversation has one number: of twenty that a visitor names, the first is texted', async () => {
  const first = await choose('agent_1', { callerNumber: '+13125552001' });
  for (let n = 2; n <= 10; n += 1) {
    const { reply } = await choose('agent_1', { callerNumber: `+1312555${2000 + n}` }, first.conversationId);
    assert.match(reply, /only the number that you gave first/);
  }
  assert.deepEqual(
    reached.map(({ callerNumber }) => callerNumber),
    ['+13125552001'],
  );
  await choose('agent_1', { callerNumber: '+13125552001' }, first.conversationId);
  await choose('agent_1', { callerNumber: '+13125552099' });
  assert.deepEqual(
    reached.map(({ callerNumber }) => callerNumber),
    ['+13125552001', '+13125552001', '+13125552099'],
    'the same number again, and another conversation',
  );
});

it('a link leads to a page of the business, and a name holds none', async () => {
  const quote = { customerName: 'Ada', customerPhone: '+13125552050', quoteUrl: 'https://oak.example/q/1' };
  for (const change of [{ quoteUrl: 'https://evil.example/q' }, { customerName: 'evil.example/free' }]) {
    const { reply } = await choose('agent_2', { ...quote, ...change });
    assert.match(reply, /only send links to our own pages/);
  }
  assert.deepEqual(reached, []);
  await choose('agent_2', quote);
  assert.deepEqual(reached, [quote]);
});
