import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type ChatService, startChatService } from '@partner-portal/tests/harness/chat.ts';
import { openStream, type Stream } from '@partner-portal/tests/harness/event-stream.ts';
import { answerText } from '@partner-portal/tests/harness/model-server.ts';
import { createReplyReader } from './reply-reader.ts';
import { createStreamCounts } from './stream-counts.ts';

let chat: ChatService;
let origin: string;
before(async () => {
  chat = await startChatService();
  origin = await chat.listen();
  await chat.addPassage('Opening hours', 'We are open from nine to six on weekdays.');
});
after(() => chat.close());
beforeEach(() => chat.models.behave((call, response) => answerText(call, response, ['We open ', 'at nine [1', '].'])));

const QUESTION = 'What are your opening hours?';
const follow = (conversationId: string, lastEventId?: string): Promise<Stream> =>
  openStream(
    `${origin}/chatbot/public/${chat.chatbotId}/conversations/${conversationId}/stream`,
    lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
  );
const begin = async (): Promise<string> => (await chat.say(QUESTION)).body.conversationId;
/** The id that the inbox has of a visitor's conversation. */
const inboxIdOf = async (conversationId: string): Promise<string> =>
  (await chat.rows<{ id: string }>('select id from conversation where visitor_key = $1', [conversationId]))[0]?.id ?? '';
const isReply = ({ event, data }: { event: string; data: { author?: string } }) => event === 'message' && data.author === 'bot';

describe('a visitor’s stream', () => {
  it('sends what was said, then a reply as it is written, then the message; the parts make up its text', async () => {
    const conversationId = await begin();
    const stream = await follow(conversationId);
    const known = await stream.until((events) => events.filter(isReply).length === 1);
    assert.deepEqual(
      known.filter(({ event }) => event === 'message').map(({ data }) => data.text),
      [QUESTION, 'We open at nine.'],
    );
    await chat.say(QUESTION, { conversationId });
    const all = await stream.until((events) => events.filter(isReply).length === 2);
    const reply = all.filter(isReply).at(-1)?.data;
    const text = all
      .filter(({ event, data }) => event === 'delta' && data.turnId === reply?.turnId)
      .reduce((whole, { data }) => whole.slice(0, data.start) + data.text, '');
    assert.equal(text, reply?.text);
    stream.close();
  });

  it('resumes after the last message without losing or repeating one', async () => {
    const conversationId = await begin();
    const first = await follow(conversationId);
    const events = await first.until((some) => some.filter(isReply).length === 1);
    first.close();
    const last = events.findLast(({ event }) => event === 'message')?.id;
    await chat.say('And again, your opening hours?', { conversationId });
    const second = await follow(conversationId, last);
    const missed = await second.until((some) => some.some(isReply));
    assert.deepEqual(
      missed.filter(({ event }) => event === 'message').map(({ data }) => data.text),
      ['And again, your opening hours?', 'We open at nine.'],
    );
    second.close();
  });

  it('opened in the middle of a reply gets what was written so far, also when another process writes it', async () => {
    const second = chat.openSecond();
    const conversationId = await begin();
    for (const isElsewhere of [false, true]) {
      const gate = Promise.withResolvers<void>();
      chat.models.behave((call, response) => answerText(call, response, ['We open ', 'at nine [1].'], { afterFirst: gate.promise }));
      const watch = await follow(conversationId);
      if (isElsewhere) {
        await chat.rows(
          `with said as (insert into conversation_message (partner_id, client_id, conversation_id, author, content) select partner_id, client_id, id, 'visitor', $2 from conversation where visitor_key = $1 returning *)
           insert into conversation_turn (partner_id, client_id, conversation_id, upto_message_id, due_at) select partner_id, client_id, conversation_id, id, now() from said`,
          [conversationId, QUESTION],
        );
        assert.equal(await second.talks.takeOver(), 1);
      } else await chat.say(QUESTION, { conversationId }, { prefer: 'respond-async' });
      await watch.until((events) => events.some(({ event }) => event === 'delta'));
      const late = await follow(conversationId);
      const parts = await late.until((events) => events.some(({ event }) => event === 'delta'));
      const part = parts.find(({ event }) => event === 'delta')?.data;
      assert.deepEqual([part?.start, part?.text], [0, 'We open'], isElsewhere ? 'elsewhere' : 'here');
      const before = parts.filter(isReply).length;
      gate.resolve();
      const all = await late.until((events) => events.filter(isReply).length === before + 1);
      const turnId = all.filter(isReply).at(-1)?.data.turnId;
      const text = all
        .filter(({ event, data }) => event === 'delta' && data.turnId === turnId)
        .reduce((whole, { data }) => whole.slice(0, data.start) + data.text, '');
      assert.ok('We open at nine.'.startsWith(text.trim()) && text.length > 0);
      watch.close();
      late.close();
    }
    await second.close();
  });

  it('shows who types and who has taken over', async () => {
    const conversationId = await begin();
    const stream = await follow(conversationId);
    await stream.until((events) => events.some(({ event }) => event === 'status'));
    const { partnerId, clientId } = chat.world;
    chat.talks.live.sendTyping({
      partnerId,
      clientId,
      conversationId: await inboxIdOf(conversationId),
      author: 'human',
      name: 'Ada',
      isTyping: true,
    });
    await stream.until((events) => events.some(({ event, data }) => event === 'typing' && data.name === 'Ada'));
    await chat.rows(
      `with changed as (update conversation set status = 'handed_off', was_handed_off = true, assigned_name = 'Ada' where id = $1 returning *)
       select announce_conversation(partner_id, client_id, id, null) from changed`,
      [await inboxIdOf(conversationId)],
    );
    await stream.until((events) => events.some(({ event, data }) => event === 'status' && data.humanName === 'Ada'));
    stream.close();
  });

  it('ends when the chatbot is switched off', async () => {
    const conversationId = await begin();
    const stream = await follow(conversationId);
    await stream.until((events) => events.some(({ event }) => event === 'status'));
    await chat.setChatbot({ is_active: false });
    await stream.ended;
    await chat.setChatbot({ is_active: true });
  });
});

describe('the number of streams', () => {
  it('is bounded for an address, a chatbot and the process; one that ends makes room', () => {
    const counts = createStreamCounts({ process: 4, chatbot: 3, address: 2 });
    const room = (chatbot: string, address: string): boolean => {
      try {
        counts.requireRoom({ chatbot, address });
        return true;
      } catch {
        return false;
      }
    };
    const first = counts.hold({ chatbot: 'a', address: '1' });
    counts.hold({ chatbot: 'a', address: '1' });
    assert.deepEqual([room('a', '1'), room('b', '1'), room('a', '2')], [false, false, true]);
    counts.hold({ chatbot: 'a', address: '2' });
    assert.deepEqual([room('a', '3'), room('b', '3')], [false, true]);
    counts.hold({ chatbot: 'b', address: '4' });
    assert.equal(room('c', '5'), false);
    // Room that was there when the request was checked may be gone when its stream opens.
    assert.equal(counts.hold({ chatbot: 'c', address: '5' }), undefined);
    assert.ok(first);
    first();
    first();
    assert.deepEqual([room('c', '5'), room('a', '1')], [true, true]);
  });
});

describe('parts of a reply', () => {
  const of = { partnerId: 'p', clientId: 'c', conversationId: 'v' };
  const reader = () => {
    const sent: string[] = [];
    let asked = 0;
    const made = createReplyReader({ send: ({ start, text }) => sent.push(`${start}:${text}`), ask: () => (asked += 1) });
    return { ...made, sent, asked: () => asked };
  };

  it('that were lost are asked for once; what is known is dropped', () => {
    const one = reader();
    one.take({ ...of, turnId: 't', start: 3, text: 'lo' });
    one.take({ ...of, turnId: 't', start: 5, text: '!' });
    assert.deepEqual([one.sent, one.asked()], [[], 1]);
    one.take({ ...of, turnId: 't', start: 0, text: 'hello!' });
    one.take({ ...of, turnId: 't', start: 3, text: 'lo' });
    assert.deepEqual(one.sent, ['0:hello!']);
  });

  it('of a reply that is complete are dropped; one that begins anew replaces the first', () => {
    const one = reader();
    one.take({ ...of, turnId: 't', start: 0, text: 'hello' });
    one.take({ ...of, turnId: 't', start: 0, text: 'he' });
    one.end('t');
    one.take({ ...of, turnId: 't', start: 2, text: 'llo' });
    assert.deepEqual(one.sent, ['0:hello', '0:he']);
  });
});
