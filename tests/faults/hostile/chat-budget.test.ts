import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@partner-portal/contract/client.ts';
import type { Routes } from '@partner-portal/contract/index.ts';
import { DEMO, ingestUrl, postJson, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { DEMO_PASSWORD, seedDemo, startSystem, type System, until } from '../../harness/system.ts';

// A visitor who only wants to cost the agency credits, on the running product: the sandbox prices texts as a provider does. What the visitor can cost is
// bounded, and a missed call of the same agency is texted meanwhile.

/** A question that is answered, filled with what once grew to five times its length. */
const EXPENSIVE = `When are you open? ${'&'.repeat(1_980)}`;
/** More than any budget lets a visitor send; each loop ends long before. */
const MESSAGES_MAX = 500;
const HAND_OVER = /passed this on to a person/;
const MONTH = 2_000;

let system: System;
let workspace: Workspace;
let owner: Client<Routes>;
let chatbotId: string;
let missedCall: string;
let conversationCredits: number;

before(async () => {
  system = await startSystem();
  workspace = await seedDemo(system);
  owner = system.client(await system.login(DEMO.owner.email, DEMO_PASSWORD));
  missedCall = await ingestUrl(workspace.owner, workspace.workflowIds['missed-call-text-back'] ?? '');
  const { id } = await owner.changeChatbot({
    query: {},
    body: {
      clientId: workspace.oakStreetId,
      isActive: true,
      name: 'Olive',
      knowledgeText: '# Opening hours\n\nOak Street Dental is open Monday to Friday from 8:00 to 17:00.',
      provider: 'openai',
      // Not the cheapest, so that budgets end before the limits of messages in a minute.
      model: 'gpt-4.1',
    },
  });
  chatbotId = String(id);
  ({ conversationCredits } = await owner.getChatBudgets({ query: {} }));
  await until('the chatbot has read its text', async () => {
    const documents = await owner.listKnowledge({ query: { clientId: workspace.oakStreetId } });
    return documents.every(({ status }) => status === 'ready');
  });
  // A starter's month, nothing of it used.
  await system.query('update partner_quota set monthly_credits = $1, purchased_credits = 0, used = 0 where partner_id = $2', [
    MONTH,
    workspace.partnerId,
  ]);
});
after(() => system?.stop());

type Answer = { status: number; body: { conversationId: string; reply: string | null; status: string } };

/** Sends a message from one address of this machine; each counts as another visitor. */
async function say(from: string, text: string, conversationId?: string): Promise<Answer> {
  const body = JSON.stringify({ text, visitorId: crypto.randomUUID(), ...(conversationId === undefined ? {} : { conversationId }) });
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', localAddress: from, headers: { 'content-type': 'application/json' } };
    const sent = request(`${system.baseUrl}/chatbot/public/${chatbotId}/messages`, options, (response) => {
      response.setEncoding('utf8');
      let read = '';
      response.on('data', (part: string) => (read += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(read) }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** One conversation from an address until it is handed over. Returns how many answers it got, and its last reply. */
async function chatUntilHandedOver(from: string): Promise<{ answers: number; reply: string | null }> {
  let conversationId: string | undefined;
  for (let answers = 0; answers < MESSAGES_MAX; answers += 1) {
    const { status, body } = await say(from, EXPENSIVE, conversationId);
    assert.equal(status, 200, JSON.stringify(body));
    conversationId = body.conversationId;
    if (body.status === 'handed_off') return { answers, reply: body.reply };
  }
  return assert.fail(`${MESSAGES_MAX} messages were answered.`);
}

async function spendingOf(scope: 'conversation' | 'visitor' | 'chatbot'): Promise<number[]> {
  const rows = await system.query<{ used: number }>('select used from chat_spending where scope = $1 order by used desc', [scope]);
  return rows.map(({ used }) => used);
}

/** Posts a missed call and waits until its caller was texted. */
async function missCall(caller: string): Promise<void> {
  const accepted = await postJson(missedCall, { callerNumber: caller, businessNumber: DEMO.businessNumber });
  assert.equal(accepted.status, 202, await accepted.text());
  await until(`${caller} was texted`, async () => {
    const { data } = await workspace.admin.listOutbox({ query: { provider: 'twilio', limit: 100 } });
    return data.some((sent) => new URLSearchParams(sent.body ?? '').get('To') === caller);
  });
}

async function budgetAlerts(): Promise<string[]> {
  const { data } = await owner.listAlerts({ query: { rule: 'chatbot_budget', status: 'open' } });
  return data.map(({ subject }) => subject.type);
}

describe('a hostile visitor', () => {
  it('is handed over once the conversation has used its budget', async () => {
    const { answers, reply } = await chatUntilHandedOver('127.0.0.2');
    assert.ok(answers >= 1);
    assert.match(reply ?? '', HAND_OVER);
    const [used = 0] = await spendingOf('conversation');
    assert.ok(used > 0 && used <= conversationCredits, String(used));
  });

  it('gets no further with other conversations than the budget of the visitor', async () => {
    const visitorCredits = conversationCredits + 15;
    await owner.changeChatBudgets({ body: { visitorCredits } });
    for (let n = 0; ; n += 1) {
      assert.ok(n < MESSAGES_MAX);
      if ((await chatUntilHandedOver('127.0.0.2')).answers === 0) break;
    }
    const [used = 0] = await spendingOf('visitor');
    assert.ok(used > 0 && used <= visitorCredits, String(used));
  });

  it('gets no further from other addresses than the budget of the chatbot, which raises one alert', async () => {
    const chatbotCredits = conversationCredits * 3;
    await owner.changeChatBudgets({ body: { chatbotCredits } });
    for (let n = 3; ; n += 1) {
      assert.ok(n < 200);
      if ((await chatUntilHandedOver(`127.0.0.${n}`)).answers === 0) break;
    }
    const [used = 0] = await spendingOf('chatbot');
    assert.ok(used > 0 && used <= chatbotCredits, String(used));
    assert.deepEqual(await until('the alert is open', async () => (await budgetAlerts()).length > 0 && budgetAlerts()), ['chatbot']);
    const quota = await owner.getQuota();
    assert.deepEqual([quota.used, quota.inFlight], [used, 0]);
  });

  it('gets no further in the whole period than the share of chatbots, and missed calls are texted meanwhile', async () => {
    const before = await owner.getChatBudgets();
    const sharePercent = Math.ceil(((before.period.used + 60) * 100) / MONTH);
    const most = 1_000_000;
    await owner.changeChatBudgets({ body: { sharePercent, conversationCredits: most, visitorCredits: most, chatbotCredits: most } });
    await until('the alert is resolved', async () => (await budgetAlerts()).length === 0);
    const chat = chatUntilHandedOver('127.0.0.230');
    await missCall('+13125550161');
    await chat;
    const { period } = await owner.getChatBudgets();
    assert.ok(period.used > before.period.used && period.used <= period.limit && period.inFlight === 0, JSON.stringify(period));
    assert.equal(period.stoppedBy, 'share');
    assert.deepEqual(await until('the alert is open', async () => (await budgetAlerts()).length > 0 && budgetAlerts()), ['usage']);
    await missCall('+13125550162');
  });

  it('cannot take the credits reserved for events, regardless of the share of chatbots', async () => {
    await owner.changeChatBudgets({ body: { sharePercent: 100 } });
    const { reserve } = (await owner.getChatBudgets()).period;
    await system.query('update partner_quota set used = monthly_credits - $1 - 20 where partner_id = $2', [reserve, workspace.partnerId]);
    await chatUntilHandedOver('127.0.0.231');
    assert.ok((await owner.getQuota()).remaining >= reserve);
    await missCall('+13125550163');
  });
});
