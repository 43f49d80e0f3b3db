import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addDelta,
  addMessage,
  countUnread,
  isAwaiting,
  mergeConversation,
  mergeMessages,
  NEW_THREAD,
  setStatus,
  type Thread,
} from './thread.ts';
import type { Message } from './wire.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 9, 0, second)).toISOString();
const message = (id: string, author: Message['author'], second: number, clientMessageId: string | null = null): Message => ({
  id,
  author,
  authorName: '',
  text: `text of ${id}`,
  sources: [],
  clientMessageId,
  at: at(second),
});
const question = message('q', 'visitor', 1, 'mine');
const reply = message('r', 'bot', 2);
const sending: Thread = { ...NEW_THREAD, outgoing: [{ clientMessageId: 'mine', text: 'text of q', state: 'sending', problem: '' }] };
const ids = (thread: Thread): string[] => thread.messages.map(({ id }) => id);

describe('a conversation', () => {
  it('has each message once and in order, however often and in any order of arrival', () => {
    const arrivals = [[reply], [question], [question, reply], [reply, question], [question]];
    const thread = arrivals.reduce(mergeMessages, sending);
    assert.deepEqual(ids(thread), ['q', 'r']);
    assert.deepEqual(thread.outgoing, [], 'what the server has is not sent again');
  });

  it('keeps a message that the server does not have among those to send', () => {
    assert.equal(mergeMessages(sending, [message('other', 'visitor', 1, 'of another tab')]).outgoing.length, 1);
  });

  it('drops what it shows when another conversation takes its place, but not what is to be sent', () => {
    const before = { ...mergeMessages(sending, [reply]), conversationId: 'first' };
    const after = mergeConversation(before, {
      conversationId: 'second',
      status: 'open',
      humanName: null,
      isAnswering: false,
      messages: [],
    });
    assert.deepEqual([ids(after), after.outgoing.length], [[], 1]);
  });
});

describe('an answer that is written', () => {
  const asked = mergeMessages(NEW_THREAD, [question]);
  const part = (start: number, text: string, turnId = 't') => ({ turnId, start, text });

  it('grows by its parts, and a part that is known adds nothing', () => {
    const parts = [part(0, 'Open '), part(5, 'until '), part(0, 'Open until '), part(5, 'until '), part(8, 'il six.')];
    assert.equal(parts.reduce(addDelta, asked).answer?.text, 'Open until six.');
  });

  it('is replaced when it was begun again', () => {
    const parts = [part(0, 'We open '), part(8, 'at'), part(0, 'Open '), part(5, 'until six.')];
    assert.equal(parts.reduce(addDelta, asked).answer?.text, 'Open until six.');
  });

  it('shows no part whose beginning is missing', () => {
    assert.equal(addDelta(asked, part(5, 'until six.')).answer, null);
  });

  it('gives way to the message, and parts that arrive late change nothing', () => {
    const done = addMessage(addDelta(asked, part(0, 'Open')), { ...reply, turnId: 't' });
    assert.deepEqual([ids(done), done.answer], [['q', 'r'], null]);
    assert.equal(addDelta(done, part(0, 'Open until six.')).answer, null);
  });

  it('gives way to the list that holds its message, after a lost connection', () => {
    const list = { conversationId: 'c', status: 'open' as const, humanName: null, messages: [question, reply] };
    for (const isAnswering of [false, true])
      assert.equal(mergeConversation(addDelta(asked, part(0, 'Open')), { ...list, isAnswering }).answer, null, `${isAnswering}`);
  });

  it('is dropped when a person takes over, with the parts that arrive later: the server stores none of it', () => {
    const writing = addDelta(asked, part(0, 'Open '));
    const taken = { status: 'handed_off', humanName: 'Ana', isAnswering: false } as const;
    const list = { conversationId: 'c', messages: [question] };
    for (const over of [setStatus(writing, taken), mergeConversation(writing, { ...list, ...taken })]) {
      const later = addDelta(over, part(0, 'Open until six.'));
      assert.deepEqual([over.answer, later.answer, mergeConversation(later, { ...list, ...taken }).answer], [null, null, null]);
    }
    const given = { status: 'open', humanName: null, isAnswering: true } as const;
    for (const still of [setStatus(writing, given), mergeConversation(writing, { ...list, ...given })])
      assert.equal(addDelta(still, part(5, 'until six.')).answer?.text, 'Open until six.');
  });

  it('is waited for from the moment of sending until it is there or a person takes over', () => {
    assert.deepEqual([NEW_THREAD, sending, asked, mergeMessages(asked, [reply])].map(isAwaiting), [false, true, true, false]);
    assert.equal(isAwaiting(setStatus(asked, { status: 'handed_off', humanName: null, isAnswering: false })), false);
  });

  it('is waited for as long as the server writes one, also after the reply to what came before it', () => {
    const second = message('q2', 'visitor', 2, 'also mine');
    const messages = [question, second, message('r', 'bot', 3)];
    const list = { conversationId: 'c', status: 'open' as const, humanName: null, messages };
    const next = mergeConversation(NEW_THREAD, { ...list, isAnswering: true });
    assert.equal(isAwaiting(next), true);
    const written = addDelta(next, part(0, 'On Saturday', 't2'));
    assert.equal(mergeConversation(written, { ...list, isAnswering: true }).answer?.text, 'On Saturday');
    const early = addDelta({ ...mergeMessages(asked, [second]), isAnswering: true }, part(0, 'On', 't2'));
    assert.equal(addMessage(early, { ...reply, turnId: 't' }).answer?.text, 'On', 'its first part may come before the reply');
    const ended = setStatus(addMessage(written, { ...message('r2', 'bot', 4), turnId: 't2' }), {
      status: 'open',
      humanName: null,
      isAnswering: false,
    });
    assert.deepEqual([isAwaiting(ended), ended.answer], [false, null]);
  });
});

it('unread are messages of others after the one that was read last', () => {
  const messages = [message('a', 'bot', 0), question, reply];
  assert.deepEqual([countUnread(messages, null), countUnread(messages, 'a'), countUnread(messages, 'r')], [2, 1, 0]);
});
