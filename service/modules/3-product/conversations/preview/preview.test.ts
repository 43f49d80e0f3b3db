import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import { type ChatService, startChatService } from '@partner-portal/tests/harness/chat.ts';
import { answerText } from '@partner-portal/tests/harness/model-server.ts';
import type { Person } from '@partner-portal/tests/harness/world.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';

let chat: ChatService;
before(async () => {
  const templates = new Map(loadBundles().map(({ template }) => [template.name, template]));
  chat = await startChatService({ templateOf: (name) => templates.get(name) });
  await chat.addPassage('Opening hours', 'We are open from nine to six on weekdays.');
});
after(() => chat.close());
beforeEach(() => {
  chat.models.calls.length = 0;
  chat.models.behave((call, response) => answerText(call, response, ['We open at nine [1].']));
});

const QUESTION = { author: 'visitor', text: 'What are your opening hours?' };
const preview = (body: object = {}, as: Person = 'owner') =>
  chat.call('POST', '/chatbot/preview', { as, body: { clientId: chat.world.clientId, messages: [QUESTION], ...body } });
const sent = (): string => JSON.stringify(chat.models.calls.at(-1)?.body);

describe('a preview', () => {
  it('answers from the knowledge, with the passage the reply stands on and what it cost', async () => {
    const { status, body } = await preview();
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.reply, body.wouldRun, body.wouldHandOff], ['We open at nine.', null, false]);
    assert.deepEqual(
      body.passages.map(({ heading, excerpt }: { heading: string; excerpt: string }) => [heading, excerpt]),
      [['Opening hours', 'We are open from nine to six on weekdays.']],
    );
    assert.ok(body.usage.inputTokens > 0 && body.creditsCharged > 0);
  });

  it('asks the model what a turn with the same message asks it, also about an agent of the whole agency', async () => {
    const { partnerId, clientId } = chat.world;
    const workflowId = await chat.db.asSystem('seed', (tx) =>
      addWorkflow(tx, { partnerId, clientId: null, templateName: 'lead-qualifier' }),
    );
    await chat.rows(
      `insert into chatbot_route (chatbot_id, n, partner_id, client_id, intent, workflow_id) values ($1, 1, $2, $3, 'wants an offer', $4)`,
      [chat.chatbotId, partnerId, clientId, workflowId],
    );
    await preview();
    const previewed = chat.models.calls.at(-1)?.body;
    await chat.say(QUESTION.text);
    const real = chat.models.calls.at(-1)?.body;
    assert.match(JSON.stringify(real), /agent_1/);
    assert.deepEqual({ ...previewed, stream: 0, stream_options: 0 }, { ...real, stream: 0, stream_options: 0 });
    await chat.rows('delete from chatbot_route');
  });

  it('uses unsaved settings, and stores nothing', async () => {
    const before = await chat.rows(
      'select id from conversation union all select id from conversation_message union all select id from conversation_turn',
    );
    const { status } = await preview({ persona: 'Speak like a pirate.', provider: 'openai', model: 'gpt-unsaved' });
    assert.equal(status, 200);
    assert.match(sent(), /Speak like a pirate/);
    assert.match(sent(), /gpt-unsaved/);
    const now = await chat.rows(
      'select id from conversation union all select id from conversation_message union all select id from conversation_turn',
    );
    assert.deepEqual(now, before);
    const [saved] = await chat.rows<{ persona: string; model: string }>('select persona, model from chatbot');
    assert.deepEqual(saved, { persona: '', model: 'gpt-5' });
  });

  it('says which agent would run, and runs none', async () => {
    const { partnerId, clientId, rivalPartnerId } = chat.world;
    await chat.rows(`update client set phone = '+13125550100' where id = $1`, [clientId]);
    const workflowId = await chat.db.asSystem('seed', (tx) =>
      addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back', name: 'Text back' }),
    );
    const input = { callerNumber: '+13125550148', businessNumber: '+13125550100' };
    chat.models.behave((call, response) =>
      answerText(call, response, [], { tool: { id: 'c1', name: 'agent_1', pieces: [JSON.stringify(input)] } }),
    );
    const agentRoutes = [{ intent: 'wants a text', workflowId }];
    const { body } = await preview({ agentRoutes });
    assert.equal(body.reply, 'That is done.', 'what a visitor reads when the model writes nothing');
    const asked = [QUESTION, { author: 'bot', text: body.reply }, QUESTION];
    assert.equal((await preview({ agentRoutes, messages: asked })).status, 200, 'a further question goes on from there');
    assert.deepEqual([body.wouldRun?.workflowId, body.wouldRun?.agentName, body.wouldHandOff], [workflowId, 'Text back', false]);
    assert.equal(body.wouldRun.inputs.callerNumber, '+13125550148');
    assert.deepEqual(await chat.rows('select id from execution'), []);
    const foreign = await chat.db.asSystem('seed', (tx) =>
      addWorkflow(tx, { partnerId: rivalPartnerId, clientId: null, templateName: 'missed-call-text-back' }),
    );
    const refused = await preview({ agentRoutes: [{ intent: 'wants a text', workflowId: foreign }] });
    assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'agentRoutes.0.workflowId']);
  });

  it('hands over at the words that do so, without asking the model', async () => {
    await chat.setChatbot({ handoff_phrases: ['speak to the boss'] });
    const { body } = await preview({ messages: [{ author: 'visitor', text: 'I want to speak to the boss.' }] });
    assert.deepEqual([body.wouldHandOff, body.creditsCharged, chat.models.calls.length], [true, 0, 0]);
    await chat.setChatbot({ handoff_phrases: [] });
  });

  it('works before the settings are saved, and knows nothing then', async () => {
    chat.models.behave((call, response) => answerText(call, response, ['I do not know. [unsure]']));
    const { status, body } = await preview({ clientId: chat.world.otherClientId });
    assert.deepEqual([status, body.wouldHandOff, body.passages], [200, true, []], JSON.stringify(body));
    assert.deepEqual(await chat.rows('select id from chatbot where client_id = $1', [chat.world.otherClientId]), []);
  });

  it('ends with a message of the visitor', async () => {
    const { status, body } = await preview({ messages: [QUESTION, { author: 'bot', text: 'At nine.' }] });
    assert.deepEqual([status, body.errors[0].field], [422, 'messages']);
  });

  it('is for those who may change the chatbot, and is refused when nothing is left to pay it with', async () => {
    assert.equal((await preview({}, 'staff')).status, 200);
    const body = { clientId: chat.world.clientId, messages: [QUESTION] };
    await chat.assertRefused(
      'POST',
      '/chatbot/preview',
      { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', rivalOwner: 'not_found' },
      body,
    );
    await chat.leaveCredits(0);
    const refused = await preview();
    assert.deepEqual([refused.status, refused.body.code], [402, 'quota_exceeded']);
    await chat.leaveCredits(100_000);
  });
});
