import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ChatService, startChatService } from '@partner-portal/tests/harness/chat.ts';
import { answerText } from '@partner-portal/tests/harness/model-server.ts';

let chat: ChatService;
before(async () => {
  chat = await startChatService();
  chat.models.behave((call, response) => answerText(call, response, ['[chat] Hello!']));
  await chat.leaveCredits(2_000);
});
after(() => chat.close());

const read = (as: 'owner' | 'moderator' | 'staff' | 'clientUser' | 'rivalOwner', query = '') =>
  chat.call('GET', `/chatbot/budgets${query}`, { as });
const change = (as: 'owner' | 'moderator' | 'staff' | 'clientUser' | 'rivalOwner', body: object, headers: Record<string, string> = {}) =>
  chat.call('PATCH', '/chatbot/budgets', { as, body, headers });

describe('budgets of conversations', () => {
  it('are on before anyone has changed them, and are read with what was used of them', async () => {
    const { status, body } = await read('owner');
    assert.equal(status, 200);
    const { period, today, ...settings } = body;
    assert.deepEqual(settings, { sharePercent: 40, conversationCredits: 60, visitorCredits: 120, chatbotCredits: 300, updatedAt: null });
    const { resetsAt: periodEnd, ...ofPeriod } = period;
    assert.deepEqual(ofPeriod, { used: 0, inFlight: 0, limit: 800, reserve: 200, stoppedBy: null });
    assert.ok(Date.parse(periodEnd) > Date.now() && today.resetsAt.endsWith('T00:00:00.000Z') && Date.parse(today.resetsAt) > Date.now());
    assert.deepEqual(today.chatbots, []);
    await chat.say('Hello');
    const after = (await read('moderator')).body;
    assert.equal(after.period.used, 1);
    const ofChatbot = { chatbotId: chat.chatbotId, clientId: chat.world.clientId, clientName: 'Oak Street Dental', name: 'Mia' };
    assert.deepEqual(after.today.chatbots, [{ ...ofChatbot, used: 1, inFlight: 0, isReached: false }]);
  });

  it('are read for the chatbot of one client, also when it used nothing', async () => {
    const { body } = await read('owner', `?clientId=${chat.world.clientId}`);
    assert.deepEqual(
      body.today.chatbots.map((one: { name: string }) => one.name),
      ['Mia'],
    );
    await chat.rows('delete from chat_spending');
    const unused = await read('owner', `?clientId=${chat.world.clientId}`);
    assert.deepEqual(
      unused.body.today.chatbots.map((one: { used: number }) => one.used),
      [0],
    );
    assert.deepEqual((await read('owner')).body.today.chatbots, []);
  });

  it('are changed by admins of the agency and by staff, one by one, with an entry in the audit log', async () => {
    const { status, body } = await change('owner', { sharePercent: 25, visitorCredits: 0 });
    assert.equal(status, 200);
    assert.deepEqual(
      [body.sharePercent, body.conversationCredits, body.visitorCredits, body.chatbotCredits, body.period.limit],
      [25, 60, 0, 300, 500],
    );
    const byStaff = await change('staff', { partnerId: chat.world.partnerId, visitorCredits: 120 });
    assert.deepEqual([byStaff.status, byStaff.body.visitorCredits, byStaff.body.sharePercent], [200, 120, 25]);
    const entries = await chat.rows<{ changes: object }>(
      `select changes from audit_entry where action = 'chat_budgets.changed' and result = 'ok' order by id`,
    );
    assert.deepEqual(
      entries.map(({ changes }) => changes),
      [{ sharePercent: [40, 25], visitorCredits: [120, 0] }, { visitorCredits: [0, 120] }],
    );
    await change('owner', { visitorCredits: 120 });
    const [count] = await chat.rows<{ n: number }>(
      `select count(*)::int as n from audit_entry where action = 'chat_budgets.changed' and result = 'ok'`,
    );
    assert.equal(count?.n, 2);
  });

  it('refuse a change that is based on an older record', async () => {
    const { updatedAt } = (await read('owner')).body;
    const stale = await change('owner', { sharePercent: 30 }, { 'if-match': '"2020-01-01T00:00:00.000Z"' });
    assert.deepEqual([stale.status, stale.body.code], [412, 'stale_record']);
    assert.equal((await change('owner', { sharePercent: 30 }, { 'if-match': `"${updatedAt}"` })).status, 200);
  });

  it('are refused to moderators, who read them, to clients, and to people of other agencies', async () => {
    const before = (await read('owner')).body;
    const refused: [string, number, string][] = [];
    const note = (name: string, reply: { status: number; body: { code: string } }): unknown =>
      refused.push([name, reply.status, reply.body.code]);
    note('moderator', await change('moderator', { sharePercent: 90 }));
    note('client reads', await read('clientUser'));
    note('client', await change('clientUser', { sharePercent: 90 }));
    note('rival reads', await read('rivalOwner', `?clientId=${chat.world.clientId}`));
    note('staff of no agency', await read('staff'));
    note('staff of an unknown one', await read('staff', '?partnerId=00000000-0000-4000-8000-000000000000'));
    assert.deepEqual(refused, [
      ['moderator', 403, 'partner_role_forbidden'],
      ['client reads', 403, 'role_forbidden'],
      ['client', 403, 'role_forbidden'],
      ['rival reads', 404, 'not_found'],
      ['staff of no agency', 400, 'invalid_query'],
      ['staff of an unknown one', 404, 'not_found'],
    ]);
    // The session decides which agency's budgets are changed.
    await change('rivalOwner', { partnerId: chat.world.partnerId, sharePercent: 90 });
    assert.equal((await read('owner')).body.sharePercent, before.sharePercent);
    assert.equal((await read('staff', `?clientId=${chat.world.clientId}`)).body.sharePercent, before.sharePercent);
  });

  it('are whole numbers within their bounds', async () => {
    for (const body of [{ sharePercent: 101 }, { sharePercent: -1 }, { visitorCredits: 0.5 }, { chatbotCredits: 1_000_001 }]) {
      const { status, body: problem } = await change('owner', body);
      assert.deepEqual([status, problem.errors.length], [422, 1], JSON.stringify(body));
    }
    assert.equal((await change('owner', { sharePercent: 100, chatbotCredits: 1_000_000 })).status, 200);
  });

  it('need the chatbot in the plan', async () => {
    await chat.rows(`update plan set features = features || '{"chatbot": false}'`);
    const { status, body } = await read('owner');
    assert.deepEqual([status, body.code], [403, 'plan_feature_required']);
    await chat.rows(`update plan set features = features || '{"chatbot": true}'`);
    assert.equal((await read('owner')).status, 200);
  });
});
