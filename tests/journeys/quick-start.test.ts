import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { periodBoundary } from '@partner-portal/core/billing/period.ts';
import { DEMO } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { sandboxUrl, startSystem, type System } from '../harness/system.ts';

let system: System;
before(async () => {
  system = await startSystem({ args: [], endsAtRest: true });
});
after(() => system.stop());

const logIn = async (email: string) => system.client(await system.login(email, system.admin.password));

async function readDemo() {
  const owner = await logIn(DEMO.owner.email);
  const client = (await owner.listClients({ query: { limit: 100 } })).data.find(({ name }) => name === 'Oak Street Dental');
  assert.ok(client);
  const query = { clientId: client.id };
  const [chatbot, knowledge, conversations] = await Promise.all([
    owner.getChatbot({ query }),
    owner.listKnowledge({ query }),
    owner.listConversations({ query: { ...query, limit: 100 } }),
  ]);
  return { owner, chatbot, knowledge, conversations: conversations.data };
}

describe('the quick start', () => {
  it('gives the demo client a chatbot that is on its website and knows its profile, a text and a file', async () => {
    const { chatbot, knowledge } = await readDemo();
    const website = sandboxUrl(system, '/sandbox/website');
    assert.equal(chatbot.isActive, true);
    assert.ok(chatbot.allowedOrigins.includes(new URL(website).origin));
    assert.equal(chatbot.agentRoutes.length, 1);
    assert.deepEqual(knowledge.map(({ kind, status }) => `${kind} ${status}`).toSorted(), ['file ready', 'profile ready', 'text ready']);
    const html = await (await fetch(website)).text();
    assert.ok(html.includes(`<script async src="${system.baseUrl}/widget.js" data-chatbot="${chatbot.id}"></script>`));
    assert.match(system.output(), new RegExp(`Open ${website}`));
  });

  it('has conversations in each state, answered from what the chatbot knows and by its agent', async () => {
    const { owner, conversations } = await readDemo();
    const states = conversations.map(({ status, waitingSince, assignedTo }) => {
      return [status, ...(waitingSince === null ? [] : ['waiting']), ...(assignedTo === null ? [] : [assignedTo.name])].join(' ');
    });
    assert.deepEqual(states.toSorted(), ['closed', `handed_off ${DEMO.clientUser.fullName}`, 'handed_off waiting', 'open', 'open']);
    const threads = await Promise.all(conversations.map(({ id }) => owner.listMessages({ params: { id }, query: { limit: 50 } })));
    const messages = threads.flatMap(({ data }) => data);
    assert.ok(messages.some(({ author, passages }) => author === 'bot' && passages.length > 0));
    assert.ok(messages.some(({ runDetails }) => runDetails.some(({ status }) => status === 'SUCCEEDED')));
    assert.ok(messages.some(({ author, authorName }) => author === 'human' && authorName === DEMO.clientUser.fullName));
  });

  it('has a paid and an open invoice, for two periods that follow each other', async () => {
    const owner = await logIn(DEMO.owner.email);
    const { subscription } = await owner.getBilling();
    const [open, paid, ...others] = (await owner.listInvoices({ query: {} })).data;
    assert.deepEqual([paid?.status, open?.status, others.length], ['paid', 'issued', 0]);
    assert.deepEqual([open?.periodStart, open?.periodEnd], [subscription.currentPeriodStart, subscription.currentPeriodEnd]);
    assert.equal(paid?.periodEnd, open?.periodStart);
    assert.equal(periodBoundary(new Date(paid?.periodEnd ?? ''), -1).toISOString(), paid?.periodStart);
  });

  it('adds nothing at the next start', async () => {
    const count = async () => {
      const { chatbot, knowledge, conversations } = await readDemo();
      return { chatbot, knowledge, conversations: conversations.map(({ id, lastMessage }) => [id, lastMessage]) };
    };
    const before = await count();
    await system.kill('SIGTERM');
    await system.restart();
    assert.deepEqual(await count(), before);
  });
});
