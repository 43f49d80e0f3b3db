import '../testing/portal.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { Api } from './api.ts';
import { type ChatState, createChat } from './chat.ts';
import { createKeeper } from './storage.ts';
import type { Conversation, Sent } from './wire.ts';

/** Nothing happens here after a time, unless a test lets it pass. */
beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval'] }));
afterEach(() => {
  mock.timers.reset();
  localStorage.clear();
});

const OLD = '01930000-0000-4000-8000-00000000000a';
const NEW = '01930000-0000-4000-8000-00000000000b';
const EMPTY: Conversation = { conversationId: OLD, status: 'open', humanName: null, isAnswering: false, messages: [] };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The chat of a page; `conversations` are those that the server has, and each message that is sent waits for its reply. */
function openChat(chatbotId: string, conversations: readonly Conversation[] = [], stream?: ReadableStream) {
  const sends: { text: string; conversationId: string | undefined; reply: (sent: Sent) => void }[] = [];
  const api: Api = {
    readChatbot: () => assert.fail('Its settings are not read again.'),
    readConversation: async (id) => conversations.find(({ conversationId }) => conversationId === id) ?? assert.fail(id),
    send({ text, conversationId }) {
      const { promise, resolve } = Promise.withResolvers<Sent>();
      sends.push({ text, conversationId, reply: resolve });
      return promise;
    },
    announceTyping: async () => undefined,
    openStream: () => (stream ? Promise.resolve(new Response(stream)) : new Promise(() => undefined)),
  };
  const keeper = createKeeper(chatbotId);
  const states: ChatState[] = [];
  const chat = createChat(api, keeper, (state) => void states.push(state));
  return { chat, keeper, sends, thread: () => states.at(-1)?.thread ?? assert.fail('Nothing was shown.') };
}

describe('a new conversation', () => {
  it('stays new when a message of the one before reaches the server only then, and takes what is written after', async () => {
    const { chat, keeper, sends, thread } = openChat('new', [EMPTY]);
    chat.start();
    chat.send('Of the one before');
    chat.startNew();
    chat.send('Of the new one');
    sends[0]?.reply({ conversationId: OLD, messageId: crypto.randomUUID(), status: 'open' });
    await settled();
    assert.deepEqual([thread().conversationId, keeper.read().conversationId, thread().messages], [null, null, []]);
    assert.deepEqual(
      sends.map(({ text, conversationId }) => [text, conversationId]),
      [
        ['Of the one before', undefined],
        ['Of the new one', undefined],
      ],
    );
    sends[1]?.reply({ conversationId: NEW, messageId: crypto.randomUUID(), status: 'open' });
    await settled();
    assert.deepEqual([thread().conversationId, keeper.read().conversationId], [NEW, NEW]);
    assert.deepEqual(
      thread().messages.map(({ text }) => text),
      ['Of the new one'],
    );
  });

  it('that another tab began is not left again for a message of this tab that was on its way', async () => {
    const { chat, keeper, sends, thread } = openChat('tabs');
    keeper.write({ conversationId: OLD });
    const here = openChat('tabs', [EMPTY]);
    here.chat.start();
    await settled();
    here.chat.send('Of the one before');
    chat.startNew();
    dispatchEvent(new StorageEvent('storage', { key: 'chat.tabs' }));
    here.sends[0]?.reply({ conversationId: OLD, messageId: crypto.randomUUID(), status: 'open' });
    await settled();
    assert.deepEqual([here.sends[0]?.conversationId, sends.length], [OLD, 0]);
    assert.deepEqual([here.thread().conversationId, keeper.read().conversationId, here.thread().outgoing], [null, null, []]);
    assert.equal(thread().conversationId, null);
  });
});

it('a person who stopped typing without a message is not shown as typing for more than six seconds', async () => {
  createKeeper('typing').write({ conversationId: OLD });
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const { chat, thread } = openChat('typing', [{ ...EMPTY, status: 'handed_off', humanName: 'Ana' }], readable);
  const types = async (): Promise<void> => {
    const data = JSON.stringify({ author: 'human', name: 'Ana', isTyping: true });
    await writer.write(new TextEncoder().encode(`event: typing\ndata: ${data}\n\n`));
    await settled();
  };
  chat.setOpen(true);
  chat.start();
  await settled();
  await types();
  assert.deepEqual(thread().typing, { author: 'human', name: 'Ana' });
  mock.timers.tick(5_999);
  await types();
  mock.timers.tick(5_999);
  assert.deepEqual(thread().typing, { author: 'human', name: 'Ana' }, 'announced again meanwhile');
  mock.timers.tick(1);
  assert.equal(thread().typing, null);
});
