import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { mostTokens } from '@partner-portal/core/quota/credits.ts';
import { HISTORY_TOKENS_MAX } from '@partner-portal/core/conversation/prompt-size.ts';
import { forgetChatSpending } from '#modules/1-ledger/metering/index.ts';
import { alerts } from '#modules/5-reactions/alerts/index.ts';
import { type ChatService, startChatService } from '@partner-portal/tests/harness/chat.ts';
import { answerText } from '@partner-portal/tests/harness/model-server.ts';

/** Budgets of conversations: each answer holds credits of its budgets before the model is called, and is counted with its cost. */

let chat: ChatService;
let origin: string;
const DEFAULTS = { chat_share_percent: 40, chat_conversation_credits: 60, chat_visitor_credits: 120, chatbot_credits: 300 };
const UNABLE = 'I cannot answer right now. I have passed this on to a person, who will reply to you here.';
const QUESTION = 'When do you open?';

before(async () => {
  chat = await startChatService();
  origin = await chat.listen();
  await chat.addPassage('Hours', 'We open at nine.');
});
after(() => chat.close());
beforeEach(async () => {
  chat.models.behave((call, response) => answerText(call, response, ['At nine [1].'], { usage: { input: 2_500, output: 500 } }));
  chat.models.calls.length = 0;
  await setQuota({ ...DEFAULTS, monthly_credits: 100_000, purchased_credits: 0, used: 0, in_flight: 0, chat_used: 0, chat_in_flight: 0 });
  await setQuota({ chat_share_reached: null, chat_reserve_reached: null });
  await chat.rows('delete from chat_spending');
  await chat.limits.forget('visitorAddress', `${chat.chatbotId} 127.0.0.1`);
});

async function setQuota(columns: Record<string, number | null>): Promise<void> {
  const names = Object.keys(columns);
  await chat.rows(`update partner_quota set ${names.map((name, n) => `${name} = $${n + 2}`).join(', ')} where partner_id = $1`, [
    chat.world.partnerId,
    ...Object.values(columns),
  ]);
}

/** Cost of one answer of these tests; it holds less. */
const COST = 5;

async function spendingOf(scope: 'conversation' | 'visitor' | 'chatbot'): Promise<{ used: number; held: number }[]> {
  return chat.rows<{ used: number; held: number }>('select used, held from chat_spending where scope = $1 order by used', [scope]);
}

/** A message from another address of this machine. */
async function sayFrom(address: string, text: string): Promise<{ reply: string; conversationId: string }> {
  const url = new URL(`${origin}/chatbot/public/${chat.chatbotId}/messages`);
  const body = JSON.stringify({ text, visitorId: crypto.randomUUID() });
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', localAddress: address, headers: { 'content-type': 'application/json' } }, (response) => {
      response.setEncoding('utf8');
      let read = '';
      response.on('data', (part: string) => (read += part));
      response.on('end', () => resolve(JSON.parse(read)));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function openAlerts(): Promise<{ subjectType: string; message: string }[]> {
  await alerts({ db: chat.db, cursors: chat.cursors, log: chat.log }).evaluate(chat.world.partnerId);
  return chat.rows<{ subjectType: string; message: string }>(
    `select subject_type, message from alert where rule = 'chatbot_budget' and status <> 'resolved' order by subject_type`,
  );
}

async function handOffReasons(): Promise<(string | null)[]> {
  const rows = await chat.rows<{ reason: string | null }>(
    'select handoff_reason as reason from conversation order by started_at desc limit 1',
  );
  return rows.map(({ reason }) => reason);
}

describe('a long chat', () => {
  it('sends a bounded history to the model, whatever its visitor writes', async () => {
    await chat.setChatbot({ handoff_when_unsure: false });
    await setQuota({ chat_conversation_credits: 100_000, chat_visitor_credits: 100_000 });
    let conversationId: string | undefined;
    for (const character of ['&', '<', '字', '&', '😀', '&']) {
      const text = character.repeat(2_000 / character.length);
      const said = await chat.say(text, conversationId === undefined ? {} : { conversationId });
      assert.equal(said.status, 200, said.text);
      conversationId = said.body.conversationId;
    }
    const sent = chat.models.calls.map(({ body }) =>
      (body['messages'] as { role: string; content: string }[]).filter(({ role }) => role !== 'system' && role !== 'developer'),
    );
    const tokens = sent.map((messages) => mostTokens(messages.map(({ content }) => content)));
    assert.ok(tokens.length === 6 && Math.max(...tokens) <= HISTORY_TOKENS_MAX, String(tokens));
    await chat.setChatbot({ handoff_when_unsure: true });
  });

  it('ends at the budget of its conversation, in the language of its visitor, and another one begins', async () => {
    await setQuota({ chat_conversation_credits: COST * 3 });
    const first = await chat.say(QUESTION);
    assert.equal(first.body.reply, 'At nine.');
    const { conversationId } = first.body;
    const german = { 'accept-language': 'de' };
    const replies = [];
    for (let n = 0; n < 4; n += 1) replies.push((await chat.say(QUESTION, { conversationId }, german)).body);
    const texts = replies.map(({ reply }) => reply);
    const stopped = texts.findIndex((text) => text !== 'At nine.');
    assert.equal(
      texts[stopped],
      'Ich kann gerade nicht antworten. Ich habe das an einen Menschen weitergegeben, der Ihnen hier antwortet.',
      JSON.stringify(texts),
    );
    assert.equal(replies[stopped].status, 'handed_off');
    assert.deepEqual(
      texts.slice(stopped + 1),
      Array.from({ length: 3 - stopped }, () => null),
    );
    assert.deepEqual(await handOffReasons(), ['budget']);
    const [spending] = await spendingOf('conversation');
    assert.ok(spending && spending.used <= COST * 3 && spending.held === 0);
    assert.equal((await chat.say(QUESTION)).body.reply, 'At nine.');
    assert.deepEqual(await openAlerts(), []);
  });
});

describe('the visitors behind one address', () => {
  it('share a budget over all their conversations, also at the same moment, and those of another have their own', async () => {
    const limit = 10;
    await setQuota({ chat_visitor_credits: limit });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    chat.models.behave(async (call, response) => {
      await held;
      return answerText(call, response, ['At nine [1].'], { usage: { input: 2_500, output: 500 } });
    });
    const sending = Array.from({ length: 8 }, () => chat.say(QUESTION));
    // Those without room are answered while the others wait for the model.
    const refused = await firstOf(sending, UNABLE);
    assert.equal(refused, UNABLE);
    const [underWay] = await spendingOf('visitor');
    assert.ok(underWay && underWay.held > 0 && underWay.used + underWay.held <= limit, JSON.stringify(underWay));
    release();
    const replies = (await Promise.all(sending)).map(({ body }) => body.reply);
    const answered = replies.filter((reply) => reply === 'At nine.').length;
    const [after] = await spendingOf('visitor');
    assert.deepEqual(after, { used: answered * COST, held: 0 });
    assert.ok(answered >= 1 && answered * COST <= limit);
    assert.equal((await sayFrom('127.0.0.2', QUESTION)).reply, 'At nine.');
    assert.equal((await spendingOf('visitor')).length, 2);
  });

  it('are known to whichever process answers, by a hash that goes with the answer', async () => {
    const known = () =>
      chat.rows<{ turn: string | null; call: string | null }>(
        `select t.visitor as turn, c.visitor as call from conversation_turn t join ai_call c on c.turn_id = t.id order by t.id desc limit 1`,
      );
    let meanwhile: Awaited<ReturnType<typeof known>> = [];
    chat.models.behave(async (call, response) => {
      meanwhile = await known();
      return answerText(call, response, ['At nine [1].']);
    });
    await chat.say(QUESTION);
    const [counted] = await chat.rows<{ subject: string }>(`select subject from chat_spending where scope = 'visitor'`);
    assert.ok(counted);
    assert.deepEqual(meanwhile, [{ turn: counted.subject, call: counted.subject }]);
    assert.deepEqual(await known(), [{ turn: null, call: null }]);
  });
});

describe('a chatbot at its budget', () => {
  it('raises one alert, which ends when the budget is raised', async () => {
    await setQuota({ chatbot_credits: COST * 2 });
    const replies = [];
    for (let n = 2; n < 7; n += 1) replies.push((await sayFrom(`127.0.0.${n}`, QUESTION)).reply);
    assert.deepEqual([replies[0], ...replies.slice(-2)], ['At nine.', UNABLE, UNABLE]);
    const [open, ...others] = await openAlerts();
    assert.deepEqual([open?.subjectType, others], ['chatbot', []]);
    assert.match(open?.message ?? '', /no room left in its 10 credits of today/);
    assert.equal((await openAlerts()).length, 1);
    const isAtBudget = async () =>
      [
        await chat.call('GET', `/chatbot/settings?clientId=${chat.world.clientId}`, { as: 'owner' }),
        await chat.call('GET', '/chatbot/settings', { as: 'clientUser' }),
      ].map(({ body }) => body.isAtBudget);
    assert.deepEqual(await isAtBudget(), [true, true]);

    const change = { chatbotCredits: 300 };
    const byModerator = await chat.call('PATCH', '/chatbot/budgets', { as: 'moderator', body: change });
    assert.deepEqual([byModerator.status, byModerator.body.code], [403, 'partner_role_forbidden']);
    assert.equal((await openAlerts()).length, 1);
    const changed = await chat.call('PATCH', '/chatbot/budgets', { as: 'owner', body: change });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(await openAlerts(), []);
    assert.deepEqual(await isAtBudget(), [false, false]);
    assert.equal((await chat.say(QUESTION)).body.reply, 'At nine.');
  });

  it('does not end for another chatbot of the agency, nor for the next day', async () => {
    await setQuota({ chatbot_credits: COST * 2 });
    while ((await sayFrom('127.0.0.3', QUESTION)).reply === 'At nine.');
    assert.equal((await openAlerts()).length, 1);
    await chat.rows(`update chat_spending set day = day - 1`);
    assert.deepEqual(await openAlerts(), []);
    assert.equal((await chat.say(QUESTION)).body.reply, 'At nine.');
  });

  it('is counted for two days, and forgotten then', async () => {
    await chat.say(QUESTION);
    const days = () =>
      chat.rows<{ age: number }>(`select distinct (now() at time zone 'UTC')::date - day as age from chat_spending order by age`);
    for (const age of [1, 2])
      await chat.rows(
        `insert into chat_spending (partner_id, scope, subject, day) select partner_id, scope, subject, day - ${age} from chat_spending where scope = 'visitor' and day = (now() at time zone 'UTC')::date`,
      );
    await forgetChatSpending(chat);
    assert.deepEqual(await days(), [{ age: 0 }, { age: 1 }]);
  });

  it('counts answers on the agency’s own key by their tokens, though they cost no credits', async () => {
    await chat.saveKey('owner', 'openai', 'byok');
    await setQuota({ chatbot_credits: COST * 2, monthly_credits: 0 });
    const replies = [];
    for (let n = 0; n < 4; n += 1) replies.push((await chat.say(QUESTION)).body.reply);
    assert.deepEqual([replies[0], replies.at(-1)], ['At nine.', UNABLE]);
    const [spending] = await spendingOf('chatbot');
    assert.ok(spending && spending.used >= COST && spending.used <= COST * 2 && spending.held === 0);
    assert.equal((await chat.quota()).used, 0);
    await chat.saveKey('owner', 'openai', 'platform');
  });
});

describe('chatbots of an agency', () => {
  const event = () => chat.complete({ maxTokens: 100 });

  it('use their share of the period and no more, while events go on, and one alert says so until credits are bought', async () => {
    await setQuota({ monthly_credits: 20, chat_share_percent: 40 });
    const replies = [];
    for (let n = 0; n < 5; n += 1) replies.push((await chat.say(QUESTION)).body.reply);
    assert.deepEqual([replies[0], replies.at(-1)], ['At nine.', UNABLE]);
    const [quota] = await chat.rows<{ used: number; held: number }>(
      'select chat_used as used, chat_in_flight as held from partner_quota where partner_id = $1',
      [chat.world.partnerId],
    );
    assert.ok(quota && quota.used <= 8 && quota.held === 0, JSON.stringify(quota));
    await event();
    const [open, ...others] = await openAlerts();
    assert.deepEqual([open?.subjectType, others], ['usage', []]);
    const isAtBudget = async () => (await chat.call('GET', '/chatbot/settings', { as: 'clientUser' })).body.isAtBudget;
    assert.equal(await isAtBudget(), true);
    assert.match(open?.message ?? '', /the 8 credits of this period that they may use.*events go on/);
    await setQuota({ purchased_credits: 100 });
    assert.deepEqual(await openAlerts(), []);
    assert.equal(await isAtBudget(), false);
    assert.equal((await chat.say(QUESTION)).body.reply, 'At nine.');
  });

  it('leave the last tenth of the credits to events, whatever their share', async () => {
    await setQuota({ monthly_credits: 100, used: 89, chat_share_percent: 100 });
    assert.equal((await chat.say(QUESTION)).body.reply, UNABLE);
    assert.deepEqual(await handOffReasons(), ['budget']);
    await event();
    assert.match((await openAlerts())[0]?.message ?? '', /kept for events/);
    await setQuota({ used: 50 });
    assert.equal((await chat.say(QUESTION)).body.reply, 'At nine.');
  });

  it('hand over for the quota when no credits are left at all', async () => {
    await setQuota({ monthly_credits: 100, used: 100 });
    await chat.say(QUESTION);
    assert.deepEqual(await handOffReasons(), ['quota']);
    assert.deepEqual(await openAlerts(), []);
  });

  it('also spend their share by previews, which say so', async () => {
    await setQuota({ monthly_credits: 100, chat_share_percent: 0 });
    const body = { clientId: chat.world.clientId, messages: [{ author: 'visitor', text: QUESTION }] };
    const refused = await chat.call('POST', '/chatbot/preview', { as: 'owner', body });
    assert.deepEqual([refused.status, refused.body.code, refused.body.budget], [402, 'chat_budget_exceeded', 'share']);
    await setQuota({ chat_share_percent: 40 });
    assert.equal((await chat.call('POST', '/chatbot/preview', { as: 'owner', body })).status, 200);
  });
});

/** Resolves with the first of the replies that is this one. */
async function firstOf(sending: readonly ReturnType<ChatService['say']>[], reply: string): Promise<string> {
  return Promise.any(
    sending.map(async (sent) => {
      const { body } = await sent;
      assert.equal(body.reply, reply);
      return reply;
    }),
  );
}
