import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type ChatService, startChatService } from '@partner-portal/tests/harness/chat.ts';
import { dueAtOnce } from '@partner-portal/tests/harness/due-at-once.ts';
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
        await dueAtOnce(chat.database.query, 'conversation_turn');
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

  it('says that an answer is under way until all that the visitor wrote is answered, and so does the list', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let calls = 0;
    chat.models.behave((call, response) => {
      const afterFirst = gates[calls++]?.promise ?? Promise.resolve();
      return answerText(call, response, ['We open ', 'at nine [1].'], { afterFirst });
    });
    const first = await chat.say(QUESTION, {}, { prefer: 'respond-async' });
    const { conversationId } = first.body;
    const stream = await follow(conversationId);
    await chat.say('And on Saturday, opening hours?', { conversationId }, { prefer: 'respond-async' });
    gates[0]?.resolve();
    const events = await stream.until((some) => some.filter(isReply).length === 1);
    const saysSo = (some: typeof events): unknown => some.findLast(({ event }) => event === 'status')?.data.isAnswering;
    const isAnswering = async (): Promise<unknown> =>
      (await chat.call('GET', `/chatbot/public/${chat.chatbotId}/conversations/${conversationId}`)).body.isAnswering;
    assert.deepEqual([saysSo(events), await isAnswering()], [true, true]);
    gates[1]?.resolve();
    await stream.until((some) => saysSo(some) === false);
    assert.equal(await isAnswering(), false);
    stream.close();
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

describe('the places of streams', () => {
  /** Streams by name, `chatbot address number`; those that lost their place. */
  const openCounts = (limits: { process: number; chatbot: number; address: number }) => {
    const counts = createStreamCounts(limits);
    const lost: string[] = [];
    const releases = new Map<string, () => void>();
    const has = (chatbot: string, address: string): boolean => {
      try {
        counts.requireRoom({ chatbot, address });
        return true;
      } catch {
        return false;
      }
    };
    const open = (chatbot: string, address: string, times = 1): number => {
      let opened = 0;
      for (let n = 1; n <= times; n += 1) {
        const name = `${chatbot} ${address} ${releases.size + 1}`;
        const canOpen = has(chatbot, address);
        const release = counts.hold({ chatbot, address }, () => lost.push(address));
        assert.equal(release !== undefined, canOpen, 'a request that passes finds its place');
        if (!release) continue;
        opened += 1;
        releases.set(name, release);
      }
      return opened;
    };
    const closeAll = (): void => {
      for (const release of releases.values()) {
        release();
        release();
      }
    };
    return { has, open, lost, closeAll, counts };
  };

  it('are bounded for an address, a chatbot and the process; one that ends makes room', () => {
    const { has, open, counts } = openCounts({ process: 4, chatbot: 3, address: 2 });
    const first = counts.hold({ chatbot: 'a', address: '10.0.1.1' }, () => undefined);
    assert.equal(open('a', '10.0.2.1'), 1);
    assert.equal(open('a', '10.0.3.1'), 1);
    assert.deepEqual([has('a', '10.0.4.1'), has('b', '10.0.4.1')], [false, true], 'the chatbot is full of those that hold one each');
    assert.equal(open('b', '10.0.4.1'), 1);
    assert.equal(has('c', '10.0.5.1'), false, 'the process is full of those that hold one each');
    assert.equal(
      counts.hold({ chatbot: 'c', address: '10.0.5.1' }, () => undefined),
      undefined,
    );
    first?.();
    first?.();
    assert.deepEqual([has('c', '10.0.5.1'), has('a', '10.0.1.1')], [true, true]);
    assert.equal(openCounts({ process: 9, chatbot: 9, address: 2 }).open('a', '10.0.1.1', 3), 2, 'an address');
  });

  it('of a chatbot that a few addresses have filled go to each address that holds less, and back to none of the few', () => {
    const { has, open, lost } = openCounts({ process: 4_000, chatbot: 500, address: 40 });
    for (let n = 1; n <= 13; n += 1) open('a', `10.0.${n}.1`, 40);
    const few = new Set(Array.from({ length: 13 }, (_, n) => `10.0.${n + 1}.1`));
    lost.length = 0;
    for (let n = 1; n <= 100; n += 1) assert.equal(open('a', `10.1.${n}.1`), 1);
    assert.equal(lost.length, 100);
    assert.ok(
      lost.every((address) => few.has(address)),
      'only those that hold most lose places',
    );
    assert.equal(has('a', '10.0.1.1'), false);
    assert.equal(has('a', '10.2.1.1'), true);
  });

  it('are shared by network before address: many addresses of one network have the share of one network', () => {
    const { has, open, lost } = openCounts({ process: 4_000, chatbot: 100, address: 40 });
    for (let n = 1; n <= 50; n += 1) open('a', `2001:db8:1:${n}::/64`);
    for (let n = 1; n <= 50; n += 1) open('a', `10.0.0.${n}`);
    assert.deepEqual([open('a', '10.9.0.1'), open('a', '2001:db8:2:1::/64')], [1, 1]);
    assert.deepEqual(lost.map((address) => address.slice(0, 4)).toSorted(), ['10.0', '2001']); // prettier-ignore
    // Within a network, one that holds many loses to one that holds none.
    const own = openCounts({ process: 4_000, chatbot: 10, address: 40 });
    own.open('a', '10.0.0.1', 9);
    own.open('a', '10.0.0.2');
    assert.deepEqual([own.open('a', '10.0.0.3'), own.lost], [1, ['10.0.0.1']]);
    assert.deepEqual([has('a', '10.0.0.200'), own.has('a', '10.0.0.1')], [false, false]);
  });

  it('of the process that the chatbots of others have filled are there for the visitor of another', () => {
    const { has, open, lost, closeAll } = openCounts({ process: 400, chatbot: 50, address: 40 });
    for (let n = 1; n <= 8; n += 1) for (const address of [`10.${n}.0.1`, `10.${n}.1.1`]) open(`taken ${n}`, address, 25);
    assert.equal(open('other', '10.100.0.1'), 1);
    assert.equal(lost.length, 1);
    closeAll();
    assert.equal(has('other', '10.100.0.1'), true);
    for (let n = 1; n <= 8; n += 1) for (const address of [`10.${n}.0.1`, `10.${n}.1.1`]) assert.equal(open(`taken ${n}`, address, 25), 25);
    assert.equal(lost.length, 1, 'all places were given back');
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

  it('of a reply that is complete are dropped; one that restarts replaces the first', () => {
    const one = reader();
    one.take({ ...of, turnId: 't', start: 0, text: 'hello' });
    one.take({ ...of, turnId: 't', start: 0, text: 'he' });
    one.end('t');
    one.take({ ...of, turnId: 't', start: 2, text: 'llo' });
    assert.deepEqual(one.sent, ['0:hello', '0:he']);
  });
});
