import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import type { Person } from '@partner-portal/tests/harness/world.ts';
import { announce, type Notices, openNotices } from '#platform/notify.ts';
import { inboxHandlers } from '../index.ts';
import { conversationChanged, conversationDelta, conversationTyping } from '../live/topics.ts';
import { addConversation, addMessage, rows } from '../test-conversations.ts';

let service: TestService;
let notices: Notices;
let origin: string;
/** Where the clock stands still; the present when unset. */
let stoppedAt: Date | undefined;
const PATH = '/chatbot/conversations';

before(async () => {
  service = await startTestService({
    modules: (platform) => {
      notices = openNotices(platform.database.configFor('portal_service'), platform.log);
      const clock = { now: () => stoppedAt ?? new Date() };
      return [{ routes: inboxHandlers({ ...platform, clock, notices, templates: [] }) }];
    },
  });
  origin = await service.listen();
});
after(async () => {
  await notices?.close();
  await service.close();
});

// oxlint-disable-next-line typescript/no-explicit-any
type Seen = { id: string; event: string; data: any };

async function* readEvents(response: Response): AsyncGenerator<Seen, undefined> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, id = '', event = '', data = ''] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (event) yield { id, event, data: JSON.parse(data) };
    }
  }
  return undefined;
}

/** Opens the stream and reads it until one event fulfils the condition. */
async function follow(as: Person, query = '', lastEventId?: string) {
  const stop = new AbortController();
  const response = await fetch(`${origin}${PATH}/stream${query}`, {
    headers: { ...service.bearer(as), ...(lastEventId ? { 'last-event-id': lastEventId } : {}) },
    signal: stop.signal,
  });
  assert.equal(response.status, 200);
  const events = readEvents(response);
  const seen: Seen[] = [];
  return {
    seen,
    async until(isIt: (event: Seen) => boolean): Promise<Seen> {
      for (;;) {
        const { value: event, done } = await events.next();
        if (done) throw new Error('The stream ended.');
        seen.push(event);
        if (isIt(event)) return event;
      }
    },
    close: () => stop.abort(),
  };
}

const owner = (conversationId: string, clientId = service.world.clientId) => ({
  partnerId: service.world.partnerId,
  clientId,
  conversationId,
});
const post = (path: string, as: Person, body?: object) => service.call('POST', `${PATH}${path}`, { as, body });
const isOf = (id: string) => (event: Seen) => event.event === 'conversation' && event.data.id === id;

describe('the stream of the inbox', { timeout: 60_000 }, () => {
  it('shows a change and a reply as they happen, with the rows as their reader sees them', async () => {
    const id = await addConversation(service, { status: 'handed_off', waiting: true });
    const stream = await follow('clientUser');
    await post(`/${id}/reply`, 'owner', { text: 'We open at nine.' });
    const message = await stream.until(({ event, data }) => event === 'message' && data.message.author === 'human');
    assert.deepEqual(
      [message.data.conversationId, message.data.message.text, message.data.message.authorName],
      [id, 'We open at nine.', 'Owner Tester'],
    );
    const changed = await stream.until(isOf(id));
    assert.deepEqual([changed.data.assignedTo.name, changed.data.waitingSince, changed.data.isUnread], ['Owner Tester', null, true]);
    stream.close();
  });

  it('reaches no other client and no other agency', async () => {
    const own = await addConversation(service, { clientId: service.world.otherClientId });
    const foreign = await addConversation(service);
    const rival = await addConversation(service, { partnerId: service.world.rivalPartnerId, clientId: service.world.rivalClientId });
    const client = await follow('otherClientUser');
    const agency = await follow('rivalOwner');
    await post(`/${foreign}/takeover`, 'owner');
    await service.db.asSystem('seed', async (tx) => {
      await announce(tx, conversationDelta, { ...owner(foreign), turnId: foreign, start: 0, text: 'secret' });
      await announce(tx, conversationTyping, { ...owner(foreign), author: 'visitor', name: '', isTyping: true });
    });
    await post(`/${own}/takeover`, 'owner');
    await post(`/${rival}/takeover`, 'rivalOwner');
    await client.until(isOf(own));
    await agency.until(isOf(rival));
    for (const { seen } of [client, agency])
      assert.ok(!JSON.stringify(seen).includes(foreign) && !JSON.stringify(seen).includes('secret'), JSON.stringify(seen));
    client.close();
    agency.close();
  });

  it('ends with the next change once the plan no longer includes the chatbot', async () => {
    const { rivalPartnerId: partnerId, rivalClientId: clientId } = service.world;
    const id = await addConversation(service, { partnerId, clientId });
    const stream = await follow('rivalOwner');
    const setFeature = (overrides: string) =>
      rows(service, 'update subscription set overrides = $2::jsonb where partner_id = $1', [partnerId, overrides]);
    await setFeature('{"features":{"chatbot":false}}');
    await service.db.asSystem('seed', (tx) =>
      announce(tx, conversationChanged, { partnerId, clientId, conversationId: id, messageIds: [] }),
    );
    await assert.rejects(
      stream.until(() => false),
      /The stream ended/,
    );
    assert.deepEqual(stream.seen, []);
    await setFeature('{}');
    const again = await follow('rivalOwner');
    await post(`/${id}/takeover`, 'rivalOwner');
    await again.until(isOf(id));
    again.close();
  });

  it('is limited to one client when one is named', async () => {
    const other = await addConversation(service, { clientId: service.world.otherClientId });
    const own = await addConversation(service);
    const stream = await follow('owner', `?clientId=${service.world.clientId}`);
    await post(`/${other}/takeover`, 'owner');
    await post(`/${own}/takeover`, 'owner');
    await stream.until(isOf(own));
    assert.ok(!JSON.stringify(stream.seen).includes(other));
    stream.close();
    assert.equal((await service.call('GET', `${PATH}/stream?clientId=${service.world.rivalClientId}`, { as: 'owner' })).status, 404);
  });

  it('of one client leaves a trace for that client; the client’s own leaves none', async () => {
    const { clientId, people } = service.world;
    await rows(service, 'delete from client_look');
    for (const as of ['clientUser', 'moderator'] as const) (await follow(as, as === 'moderator' ? `?clientId=${clientId}` : '')).close();
    assert.deepEqual(await rows(service, 'select client_id, user_id, kind from client_look'), [
      { clientId, userId: people.moderator.userId, kind: 'conversations' },
    ]);
  });

  it('resumes: what happened while the reader was away is sent first', async () => {
    const id = await addConversation(service);
    const first = await follow('owner');
    await post(`/${id}/takeover`, 'owner');
    const { id: last } = await first.until(isOf(id));
    first.close();
    await addMessage(service, id, 'visitor', 'Are you there?');
    const second = await follow('owner', '', last);
    await second.until((event) => event.event === 'message' && event.data.message.text === 'Are you there?');
    const now = await second.until(isOf(id));
    assert.equal(now.data.lastMessage.text, 'Are you there?');
    second.close();
  });

  it('resumes with every message and every conversation, however many', async () => {
    const talks = await Promise.all(Array.from({ length: 3 }, () => addConversation(service)));
    const first = await follow('owner');
    await post(`/${talks[0]}/takeover`, 'owner');
    const { id: last } = await first.until(isOf(talks[0] ?? ''));
    first.close();
    const [one = ''] = talks;
    const sent = await rows<{ id: string }>(
      service,
      `insert into conversation_message (partner_id, client_id, conversation_id, author, content)
        select c.partner_id, c.client_id, c.id, 'visitor', 'Message ' || n from conversation c, generate_series(1, 450) n where c.id = $1 returning id`,
      [one],
    );
    for (const id of talks.slice(1)) await addMessage(service, id, 'visitor', 'The last');
    const second = await follow('owner', '', last);
    await second.until(isOf(talks[2] ?? ''));
    const seen = new Set(second.seen.filter(({ event }) => event === 'message').map(({ data }) => data.message.id));
    assert.deepEqual(
      sent.filter(({ id }) => !seen.has(id)),
      [],
    );
    second.close();
  });

  it('passes a reply on while it is written, and who types, but not to the one who types', async () => {
    const id = await addConversation(service);
    const agency = await follow('owner');
    const client = await follow('clientUser');
    await service.db.asSystem('seed', (tx) => announce(tx, conversationDelta, { ...owner(id), turnId: id, start: 0, text: 'We open' }));
    assert.deepEqual((await agency.until(({ event }) => event === 'delta')).data, {
      conversationId: id,
      turnId: id,
      start: 0,
      text: 'We open',
    });
    assert.equal((await post(`/${id}/typing`, 'owner')).status, 204);
    assert.deepEqual((await client.until(({ event }) => event === 'typing')).data, {
      conversationId: id,
      author: 'human',
      name: 'Owner Tester',
      isTyping: true,
    });
    await post(`/${id}/close`, 'clientUser');
    await agency.until(isOf(id));
    assert.ok(agency.seen.every(({ event }) => event !== 'typing'));
    agency.close();
    client.close();
  });

  it('announces typing of one person once in two seconds', async () => {
    const id = await addConversation(service);
    let announced = 0;
    const stop = notices.subscribe(conversationTyping, ({ conversationId }) => void (announced += conversationId === id ? 1 : 0));
    stoppedAt = new Date();
    for (let n = 0; n < 3; n += 1) assert.equal((await post(`/${id}/typing`, 'owner')).status, 204);
    stoppedAt = new Date(stoppedAt.getTime() + 2_000);
    assert.equal((await post(`/${id}/typing`, 'owner')).status, 204);
    stoppedAt = undefined;
    const done = Promise.withResolvers<void>();
    const stopDone = notices.subscribe(conversationChanged, ({ conversationId }) => conversationId === id && done.resolve());
    await post(`/${id}/close`, 'owner');
    await done.promise;
    assert.equal(announced, 2);
    stop();
    stopDone();
  });

  it('tells the other pages of a person what they have read, and no one else', async () => {
    const id = await addConversation(service);
    const mine = await follow('owner');
    const theirs = await follow('moderator');
    await post(`/${id}/read`, 'owner', {});
    assert.equal((await mine.until(isOf(id))).data.isUnread, false);
    await post(`/${id}/close`, 'owner');
    assert.equal((await theirs.until(isOf(id))).data.status, 'closed');
    mine.close();
    theirs.close();
  });
});
