import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { type ChatOptions, type ChatService, startChatService } from '@partner-portal/tests/harness/chat.ts';
import { answerError, answerText } from '@partner-portal/tests/harness/model-server.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';

let chat: ChatService;
const reached: unknown[] = [];
type Run = Awaited<ReturnType<NonNullable<ChatOptions['runDirectly']>>>;
type Answer = Parameters<ChatService['models']['behave']>[0];
const FAILED: Run = { kind: 'failed', executionId: null, summary: '', output: null, error: null };
let run = FAILED;
before(async () => {
  const templates = new Map(loadBundles().map(({ template }) => [template.name, template]));
  chat = await startChatService({
    templateOf: (name) => templates.get(name),
    runDirectly: async ({ input }) => {
      reached.push(input['callerNumber']);
      return run;
    },
  });
  const { partnerId, clientId } = chat.world;
  const workflowId = await chat.db.asSystem('seed', (tx) =>
    addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back' }),
  );
  await chat.rows(`update client set phone = '+13125550100' where id = $1`, [clientId]);
  await chat.rows(
    `insert into chatbot_route (chatbot_id, n, partner_id, client_id, intent, workflow_id) values ($1, 1, $2, $3, 'wants a text', $4)`,
    [chat.chatbotId, partnerId, clientId, workflowId],
  );
});
after(() => chat.close());

/** A visitor with a conversation of their own has a number texted. */
async function text(number: string): Promise<string> {
  chat.models.behave((call, response) =>
    answerText(call, response, [''], { tool: { id: 'c1', name: 'agent_1', pieces: [JSON.stringify({ callerNumber: number })] } }),
  );
  const { status, body } = await chat.say(`Please text ${number}.`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.reply;
}
const numberOf = (n: number): string => `+1312555${String(2_000 + n)}`;

it('a chatbot runs no agent for a visitor whom a person has taken over while the model decided', async () => {
  for (const [status, runs] of [
    ['handed_off', 0],
    ['closed', 0],
    ['open', 1],
  ] as const) {
    reached.length = 0;
    chat.models.behave(async (call, response) => {
      await chat.rows("update conversation set status = $1, was_handed_off = $1 = 'handed_off' where status = 'open'", [status]);
      await answerText(call, response, [''], {
        tool: { id: 'c1', name: 'agent_1', pieces: [JSON.stringify({ callerNumber: numberOf(900) })] },
      });
    });
    const { status: code, body } = await chat.say('Please text me.');
    assert.equal(code, 200, JSON.stringify(body));
    assert.equal(reached.length, runs, status);
    assert.deepEqual(await chat.rows('select id from conversation_turn where finished_at is null'), [], status);
  }
  reached.length = 0;
  await chat.limits.forget('chatRunAddress', `${chat.chatbotId} 127.0.0.1`);
  await chat.limits.forget('visitorAddress', `${chat.chatbotId} 127.0.0.1`);
});

it('an agent that stopped is not called done when the model does not say what came of it, and a person takes over', async (context) => {
  context.after(() => (run = FAILED));
  const unsaid: Answer[] = [
    (call, response) => answerText(call, response, ['']),
    (call, response) => answerError(call, response, 400, { code: 'refused', message: 'no' }),
  ];
  for (const [n, fails] of unsaid.entries()) {
    for (const [output, reply, status] of [
      [{ skipped: true, reason: 'on_stop_list' }, /^I am sorry, I cannot do that right now\. .* to a person/, 'handed_off'],
      [{}, /^That is done\.$/, 'open'],
    ] as const) {
      run = { ...FAILED, kind: 'succeeded', output };
      let calls = 0;
      chat.models.behave((call, response) => {
        calls += 1;
        if (calls > 1) return fails(call, response);
        const input = JSON.stringify({ callerNumber: numberOf(800 + n) });
        return answerText(call, response, [''], { tool: { id: 'c1', name: 'agent_1', pieces: [input] } });
      });
      const { body } = await chat.say('Please text me.');
      assert.match(body.reply, reply);
      assert.equal(body.status, status);
    }
  }
  reached.length = 0;
  await chat.limits.forget('chatRunAddress', `${chat.chatbotId} 127.0.0.1`);
});

it('a chatbot texts one person, and those behind one address, only so often, in however many conversations', async () => {
  const { chatRunsPerContactPerDay: ofPerson, chatRunsPerAddressPerHour: ofAddress } = LIMITS;
  for (let n = 0; n < ofPerson + 2; n += 1) await text(numberOf(0));
  assert.equal(reached.length, ofPerson);
  assert.match(await text(numberOf(0)), /several times already/);
  for (let n = 1; n < ofAddress; n += 1) await text(numberOf(n));
  assert.equal(reached.length, ofAddress);
  const refused = /^I am sorry, I cannot do that right now\. .* to a person/;
  assert.match(await text(numberOf(ofAddress)), refused, 'others used it up');

  await chat.limits.forget('chatRunAddress', `${chat.chatbotId} 127.0.0.1`);
  await chat.limits.forget('visitorAddress', `${chat.chatbotId} 127.0.0.1`);
  await text(numberOf(ofAddress));
  assert.equal(reached.length, ofAddress + 1);
  for (let n = 0; n < LIMITS.chatRunsPerChatbotPerHour; n += 1) await chat.limits.count('chatRunChatbot', chat.chatbotId);
  assert.match(await text(numberOf(ofAddress + 1)), refused);
  assert.equal(reached.length, ofAddress + 1);
});
