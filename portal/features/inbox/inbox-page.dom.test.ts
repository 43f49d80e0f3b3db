import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import {
  button,
  field,
  fireEvent,
  gone,
  holds,
  isInactive,
  open,
  press,
  reads,
  screen,
  see,
  settled,
  user,
  within,
} from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { type Answers, Refused, reply, row } from '../../testing/service.ts';

type Conversation = ReturnType<typeof row<'listConversations'>>;
const talk = (n: number, given: Partial<Conversation> = {}): Conversation =>
  row('listConversations', {
    id: idOf(100 + n),
    clientId: idOf(2),
    clientName: 'Oak Street Dental',
    visitorLabel: `Visitor ${n}`,
    status: 'open',
    ...given,
  });
const message = (n: number, given: Partial<ReturnType<typeof row<'listMessages'>>> = {}) =>
  row('listMessages', { id: idOf(200 + n), author: 'visitor', text: 'Is parking free?', ...given });
/** An inbox with these conversations; each has this one message. */
const answers = (talks: Conversation[], messages = [message(1)]): Answers => ({
  listConversations: { data: talks, nextCursor: null },
  getConversation: ({ params }) => ({ ...reply('getConversation'), ...talks.find(({ id }) => id === params.id) }),
  listMessages: { data: messages, nextCursor: null },
});
const linkOf = (id: string) =>
  holds(() => assert.ok(document.querySelector(`[data-conversation="${id}"]`))).then(
    () => document.querySelector<HTMLElement>(`[data-conversation="${id}"]`) ?? assert.fail(id),
  );
const thread = () => screen.findByRole('region', { name: 'Thread' });

test('opening an unread conversation lowers the count at once, without reading it again', async () => {
  const [one, two] = [talk(1, { isUnread: true }), talk(2, { isUnread: true })];
  const service = await open('client', '/client/inbox', { ...answers([one, two]), countConversations: { unread: 2, waiting: 0 } });
  const chip = () => within(screen.getByRole('group', { name: 'Show' })).getByRole('button', { name: /^Unread/ });
  await holds(() => assert.equal(chip().textContent, 'Unread2'));
  const counted = () => service.calls.filter(({ name }) => name === 'countConversations').length;
  const before = counted();
  await user.click(await linkOf(one.id));
  await holds(() => assert.equal(service.sent('markConversationRead').length, 1));
  await holds(() => assert.equal(chip().textContent, 'Unread1'));
  await settled();
  assert.equal(counted(), before);
  assert.deepEqual(service.sent('markConversationRead'), [{ isRead: true, upTo: one.lastMessageAt }]);
});

test('a reply leads to the run of its agent, and the run back to the conversation', async () => {
  const one = talk(1, { visitorLabel: 'Visitor RUN' });
  const run = {
    workflowId: idOf(50),
    agentName: 'Text-back',
    executionId: idOf(70),
    status: 'SUCCEEDED',
    tone: null,
    summary: 'Texted',
  } as const;
  await open('owner', `/dashboard/inbox/${one.id}`, {
    ...answers([one], [message(1, { author: 'bot', text: 'A text is on its way.', runs: [run.workflowId], runDetails: [run] })]),
    getExecution: reply('getExecution', { id: run.executionId, conversationId: one.id } as never),
  });
  const shown = await thread();
  await user.click(await within(shown).findByRole('link', { name: /Text-back/ }));
  await holds(() => assert.equal(location.pathname, `/dashboard/runs/${run.executionId}`));
  await user.click(await screen.findByRole('link', { name: 'Open in the inbox' }));
  await screen.findByRole('heading', { name: 'Visitor RUN' });
});

test('the reply that the chatbot is writing leaves the thread when a person takes over, and its later parts do not come back', async () => {
  const one = talk(1);
  const service = await open('owner', `/dashboard/inbox/${one.id}`, answers([one]));
  const shown = await thread();
  const send = (event: string, data: unknown) => service.send('/chatbot/conversations/stream', event, data);
  const part = (start: number, text: string) => send('delta', { conversationId: one.id, turnId: idOf(300), start, text });
  const typing = (name: string) => send('typing', { conversationId: one.id, author: 'human', name, isTyping: true });
  await holds(() => assert.ok(part(0, 'We open ')));
  await reads(shown, /We open/);
  send('conversation', { ...one, status: 'handed_off', assignedTo: { id: idOf(9), name: 'Ana' } });
  await gone(/We open/, shown);
  part(0, 'We open at nine.');
  typing('Bea');
  await reads(shown, /Bea/);
  assert.doesNotMatch(shown.textContent, /We open/);
  send('conversation', { ...one, status: 'open' });
  part(0, 'We close at six.');
  await reads(shown, /We close at six\./);
});

test('a conversation that someone has says for whom its visitor waits and for how long, also after a reply', async () => {
  const waitingSince = new Date(Date.now() - 2.5 * 3_600_000).toISOString();
  const waits = talk(1, { status: 'handed_off', waitingSince, assignedTo: null });
  const lastMessage: Conversation['lastMessage'] = { author: 'visitor', text: 'Do you have time on Friday?' };
  const taken = talk(2, { status: 'handed_off', waitingSince, assignedTo: { id: idOf(9), name: 'Greta Müller' }, lastMessage });
  await open('owner', `/dashboard/inbox/${taken.id}`, answers([waits, taken]));
  await holds(() => {
    const state = (id: string) => document.querySelector(`[data-conversation="${id}"]`)?.textContent ?? '';
    assert.match(state(waits.id), /Waiting for a person · 2 h/);
    assert.match(state(taken.id), /Waiting for Greta Müller · 2 h/);
    assert.doesNotMatch(state(taken.id), /no reply/);
  });
  await holds(() => assert.match(document.querySelector('.inbox-thread-head')?.textContent ?? '', /Waiting for Greta Müller/));
});

test('a reply that was not sent stays with its text, and is sent again on request', async () => {
  const one = talk(1);
  let fails = true;
  const service = await open('owner', `/dashboard/inbox/${one.id}`, {
    ...answers([one]),
    replyToConversation: ({ body }) => {
      if (fails) throw new Refused('service_unavailable');
      return message(2, { author: 'human', text: body.text });
    },
  });
  const shown = await thread();
  const box = await field('Reply');
  await user.type(box, 'Hello there{Enter}');
  await reads(await within(shown).findByRole('alert'), /^Not sent\./);
  await reads(shown, /Hello there/);
  fails = false;
  await press('Send again', shown);
  await holds(() => assert.equal(within(shown).queryByRole('alert'), null));
  await reads(shown, /Hello there/);
  const ids = service.sent('replyToConversation').map(({ clientMessageId }) => clientMessageId);
  assert.equal(ids.length, 2);
  assert.equal(new Set(ids).size, 1);
});

test('a prepared reply joins the one that is being written, which stays when none is chosen', async () => {
  const one = talk(8);
  const prepared = { id: idOf(300), clientId: null, title: 'Hours', text: 'We open at nine.', createdAt: '2026-01-01T09:00:00.000Z' };
  await open('owner', `/dashboard/inbox/${one.id}`, { ...answers([one]), listCannedReplies: [prepared] });
  const box = await field('Reply');
  await user.type(box, 'A long answer');
  await press('Prepared replies');
  await user.keyboard('{Escape}');
  assert.equal(box.value, 'A long answer');
  await press('Prepared replies');
  await user.click(await screen.findByRole('option', { name: /Hours/ }));
  assert.equal(box.value, 'A long answer\nWe open at nine.');
  await user.clear(box);
  await user.type(box, '/');
  await user.click(await screen.findByRole('option', { name: /Hours/ }));
  assert.equal(box.value, 'We open at nine.');
});

test('who sends a reply is not announced as typing after it', async (context) => {
  const one = talk(7);
  const service = await open('owner', `/dashboard/inbox/${one.id}`, {
    ...answers([one]),
    replyToConversation: ({ body }) => message(2, { author: 'human', text: body.text }),
  });
  const box = await field('Reply');
  context.mock.timers.enable({ apis: ['setTimeout'] });
  for (const value of ['H', 'Hello']) fireEvent.change(box, { target: { value } });
  fireEvent.keyDown(box, { key: 'Enter' });
  context.mock.timers.tick(3_000);
  context.mock.timers.reset();
  await holds(() => assert.equal(service.sent('replyToConversation').length, 1));
  await settled();
  // Those of this conversation: what was typed in another one may be announced at any time.
  const announced = service.calls.filter(({ name, params }) => name === 'announceTyping' && isDeepStrictEqual(params, { id: one.id }));
  assert.equal(announced.length, 1);
});

test('Enter that confirms a word of an input method sends nothing, also in Safari, which ends the word before the key', async () => {
  const one = talk(1);
  const service = await open('owner', `/dashboard/inbox/${one.id}`, {
    ...answers([one]),
    replyToConversation: ({ body }) => message(2, { author: 'human', text: body.text }),
  });
  const box = await field('Reply');
  await user.type(box, 'おはよう');
  fireEvent.keyDown(box, { key: 'Enter', isComposing: true });
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 229 });
  await settled();
  // A reply leaves the box at once, and reaches the service after the replies before it.
  assert.equal(box.value, 'おはよう');
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 });
  await holds(() => assert.deepEqual(service.sent('replyToConversation').map(({ text }) => text), ['おはよう'])); // prettier-ignore
});

test('texts are laid out in the direction of their own script', async () => {
  const one = talk(1);
  await open('owner', `/dashboard/inbox/${one.id}`, answers([one], [message(1, { author: 'visitor', text: 'مفتوح 9:00 – 17:00؟' })]));
  const shown = await thread();
  assert.equal((await within(shown).findByText(/مفتوح/)).dir, 'auto');
  assert.equal((await field('Reply')).dir, 'auto');
});

test('replies are sent one after the other, and one that was not sent holds up those that wait behind it', async () => {
  const one = talk(1);
  const held = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
  let calls = 0;
  const service = await open('owner', `/dashboard/inbox/${one.id}`, {
    ...answers([one]),
    replyToConversation: async ({ body }) => {
      if ((await held[calls++]?.promise) === false) throw new Refused('service_unavailable');
      return message(10 + calls, { author: 'human', text: body.text });
    },
  });
  const shown = await thread();
  const sent = () => service.sent('replyToConversation').map(({ text }) => text);
  const box = await field('Reply');
  await user.type(box, 'one{Enter}two{Enter}three{Enter}');
  await settled();
  assert.deepEqual(sent(), ['one']);
  held[0]?.resolve(true);
  await holds(() => assert.deepEqual(sent(), ['one', 'two']));
  held[1]?.resolve(false);
  await holds(() => assert.equal(within(shown).getAllByRole('alert').length, 2));
  assert.deepEqual(sent(), ['one', 'two']);
  await press('Send again', within(shown).getAllByRole('alert')[0]);
  await holds(() => assert.equal(within(shown).getAllByRole('alert').length, 1));
  await user.type(box, 'four{Enter}');
  await holds(() => assert.deepEqual(sent(), ['one', 'two', 'two', 'four']));
});

test('a moderator reads along, and each control says why it cannot be used', async () => {
  const one = talk(1);
  const service = await open('moderator', `/dashboard/inbox/${one.id}`, answers([one]));
  await reads(await thread(), /Is parking free\?/);
  for (const name of ['Take over', 'Close', 'Send']) assert.ok(isInactive(await button(name)), name);
  await reads(document.body, /Ask an admin of your agency/);
  await user.keyboard('e');
  await settled();
  assert.ok(!service.calls.some(({ name }) => name === 'closeConversation'));
});

test('a next page of conversations that cannot be loaded says why, and is asked for again by its button only', async (context) => {
  // The end of the list is in sight, as a browser reports it: this document has no layout.
  const { IntersectionObserver: own } = globalThis;
  class InSight {
    readonly observe: () => void;
    constructor(report: (entries: { isIntersecting: boolean }[]) => void) {
      this.observe = () => report([{ isIntersecting: true }]);
    }
    disconnect(): void {}
  }
  Object.assign(globalThis, { IntersectionObserver: InSight });
  context.after(() => Object.assign(globalThis, { IntersectionObserver: own }));
  let fails = true;
  const service = await open('owner', '/dashboard/inbox', {
    ...answers([talk(1)]),
    listConversations: ({ query: { cursor } }) => {
      if (!cursor) return { data: [talk(1)], nextCursor: 'more' };
      if (fails) throw new Refused('invalid_cursor');
      return { data: [], nextCursor: null };
    },
  });
  const list = screen.getByRole('region', { name: 'Conversations' });
  await press('Show more', list);
  await reads(await within(list).findByRole('alert'), /More rows could not be loaded\./);
  const asked = () =>
    service.calls.filter(({ name, query }) => name === 'listConversations' && (query as { cursor?: string }).cursor).length;
  const before = asked();
  for (const _turn of [1, 2]) document.body.dispatchEvent(new WheelEvent('wheel', { bubbles: true, deltaY: 2000 }));
  await settled();
  assert.equal(asked(), before);
  assert.ok(within(list).queryByRole('alert'));
  fails = false;
  await press('Show more', list);
  await gone(/More rows could not be loaded/, list);
  assert.equal(within(list).queryByRole('button', { name: 'Show more' }), null);
});

test('a conversation that moved up meanwhile is in the list once, although a next page has it too', async () => {
  const [moved, other] = [talk(1, { visitorLabel: 'Visitor MOVED' }), talk(2, { visitorLabel: 'Visitor OTHER' })];
  await open('owner', '/dashboard/inbox', {
    ...answers([moved]),
    listConversations: ({ query: { cursor } }) =>
      cursor ? { data: [{ ...moved, visitorLabel: 'Visitor BEFORE' }, other], nextCursor: null } : { data: [moved], nextCursor: 'more' },
  });
  const list = screen.getByRole('region', { name: 'Conversations' });
  await press('Show more', list);
  await within(list).findByText('Visitor OTHER');
  assert.equal(within(list).getAllByText('Visitor MOVED').length, 1);
  assert.equal(within(list).queryByText('Visitor BEFORE'), null);
});

test('letters do nothing in the inbox of a client, who has no list of keys to turn them off in', async () => {
  const one = talk(1, { visitorLabel: 'Visitor LETTER' });
  const service = await open('client', `/client/inbox/${one.id}`, answers([one]));
  await screen.findByRole('heading', { name: 'Visitor LETTER' });
  await user.keyboard('er');
  assert.notEqual(document.activeElement, await field('Reply'));
  await user.keyboard('{Escape}');
  await holds(() => assert.equal(location.pathname, '/client/inbox'));
  assert.ok(!service.calls.some(({ name }) => name === 'closeConversation'));
});

test('an inbox without the chatbot in the plan sends a client to its agency', async () => {
  await open('client', '/client/inbox', {}, { chatbot: false });
  await see('Ask Northwind Digital about it.');
  await open('owner', '/dashboard/inbox', {}, { chatbot: false });
  await see('The chatbot is not part of your plan');
});
