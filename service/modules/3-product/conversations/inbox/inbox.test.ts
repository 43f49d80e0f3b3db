import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient, addWorkflow, type Person } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { withClient } from '#platform/db/roles.ts';
import { type Notices, openNotices } from '#platform/notify.ts';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { inboxHandlers } from '../index.ts';
import { addConversation, addMessage, addRun, rows } from '../test-conversations.ts';

let service: TestService;
let notices: Notices;
const BASE = '/chatbot/conversations';

before(async () => {
  service = await startTestService({
    modules: (platform) => {
      notices = openNotices(platform.database.configFor('portal_service'), platform.log);
      return [clients(platform), { routes: inboxHandlers({ ...platform, notices, templates: [] }) }];
    },
  });
});
after(async () => {
  await notices?.close();
  await service.close();
});

const get = (path: string, as: Person = 'owner') => service.call('GET', path, { as });
const post = (path: string, as: Person, body?: object) => service.call('POST', path, { as, body });
/** The headers of an owner who views the portal as a client. */
const viewAsClient = async (): Promise<{ authorization: string }> => {
  const body = { clientId: service.world.clientId, reason: 'They asked for help.' };
  return { authorization: `Bearer ${(await service.call('POST', '/auth/view-as', { as: 'owner', body })).body.accessToken}` };
};
const idsOf = async (query: string, as: Person = 'owner'): Promise<string[]> =>
  ((await get(`${BASE}?${query}`, as)).body.data as { id: string }[]).map(({ id }) => id);
const auditOf = (id: string) =>
  rows<{ action: string; actor: string; label: string }>(
    service,
    `select action, actor_email as actor, target_label as label from audit_entry where target_id = $1 and result = 'ok' order by id`,
    [id],
  );

describe('the list of conversations', () => {
  let mine: string;
  let other: string;
  let rival: string;
  before(async () => {
    mine = await addConversation(service, { label: 'Visitor L001', texts: ['Is parking free?', 'Yes, behind the house.'], agoMinutes: 5 });
    other = await addConversation(service, { clientId: service.world.otherClientId, label: 'Visitor L002', agoMinutes: 3 });
    rival = await addConversation(service, {
      partnerId: service.world.rivalPartnerId,
      clientId: service.world.rivalClientId,
      texts: ['Is parking free?'],
    });
  });

  it('holds those of the agency, of the own client, of all for staff, the newest message first', async () => {
    const byOwner = await idsOf('limit=100');
    assert.ok(byOwner.indexOf(other) < byOwner.indexOf(mine) && byOwner.includes(other));
    assert.ok(!byOwner.includes(rival));
    const byClient = await idsOf('limit=100', 'clientUser');
    assert.ok(byClient.includes(mine) && !byClient.includes(other));
    assert.ok((await idsOf('limit=100', 'staff')).includes(rival));
    assert.ok((await idsOf('limit=100', 'moderator')).includes(mine));
  });

  it('answers 404 for a conversation or client of others, to each role', async () => {
    for (const [as, id] of [
      ['owner', rival],
      ['clientUser', other],
      ['rivalOwner', mine],
    ] as const) {
      for (const [method, path] of [
        ['GET', `${BASE}/${id}`],
        ['GET', `${BASE}/${id}/messages`],
        ['POST', `${BASE}/${id}/takeover`],
        ['POST', `${BASE}/${id}/give-back`],
        ['POST', `${BASE}/${id}/close`],
        ['POST', `${BASE}/${id}/typing`],
      ] as const)
        assert.equal((await service.call(method, path, { as })).status, 404, `${as} ${path}`);
      assert.equal((await post(`${BASE}/${id}/reply`, as, { text: 'Hi' })).status, 404);
      assert.equal((await post(`${BASE}/${id}/read`, as, {})).status, 404);
    }
    assert.equal((await get(`${BASE}?clientId=${service.world.rivalClientId}`)).status, 404);
    assert.equal((await get(`${BASE}?clientId=${service.world.otherClientId}`, 'clientUser')).status, 404);
    assert.equal((await get(`${BASE}/${mine}`, 'clientUser')).status, 200);
  });

  it('pages by the time of the last message, each conversation once', async () => {
    const all = await idsOf('limit=100');
    const paged: string[] = [];
    let cursor = '';
    do {
      const { body } = await get(`${BASE}?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      paged.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor ?? '';
    } while (cursor);
    assert.deepEqual(paged, all);
  });

  for (const [among, filter] of [
    ['all', ''],
    ['unread ones', '&unread=true'],
  ] as const)
    it(`keeps a conversation at its place when it gets a message between two pages, among ${among}`, async () => {
      const list = `clientId=${service.world.otherClientId}&status=handed_off${filter}`;
      const add = async (agoMinutes: number): Promise<string> => {
        const id = await addConversation(service, { clientId: service.world.otherClientId, status: 'handed_off', agoMinutes });
        await rows(
          service,
          `insert into conversation_read (conversation_id, user_id, partner_id, client_id, read_at) select id, $2, partner_id, client_id, now() - interval '1 day' from conversation where id = $1`,
          [id, service.world.people.owner.userId],
        );
        return id;
      };
      const [newest, second, third, oldest] = [await add(61), await add(62), await add(63), await add(64)];
      const paged: string[] = [];
      const toNextPage = async (cursor = ''): Promise<string> => {
        const { body } = await get(`${BASE}?${list}&limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
        paged.push(...body.data.map(({ id }: { id: string }) => id));
        return body.nextCursor ?? '';
      };
      let cursor = await toNextPage();
      await addMessage(service, oldest, 'visitor', 'Is anyone there?', 50);
      await addMessage(service, newest, 'visitor', 'Thank you.', 40);
      const begun = await add(30);
      cursor = await toNextPage(cursor);
      await addMessage(service, third, 'visitor', 'Is anyone there?', 20);
      await addMessage(service, oldest, 'visitor', 'Hello?', 10);
      while (cursor) cursor = await toNextPage(cursor);
      assert.deepEqual(paged, [newest, second, third, oldest]);
      assert.deepEqual(await idsOf(`${list}&limit=100`), [oldest, third, begun, newest, second]);
      await rows(service, 'delete from conversation where id = any($1)', [[...paged, begun]]);
    });

  it('is filtered by client, status and whether a visitor waits', async () => {
    const waiting = await addConversation(service, { status: 'handed_off', waiting: true });
    const closed = await addConversation(service, { status: 'closed' });
    assert.ok(!(await idsOf(`clientId=${service.world.otherClientId}`)).includes(mine));
    assert.deepEqual(await idsOf('waiting=true'), [waiting]);
    assert.ok((await idsOf('status=closed')).includes(closed));
    assert.ok(!(await idsOf('status=open')).includes(closed));
    assert.ok((await idsOf('status=handed_off')).includes(waiting));
  });

  it('finds words of any message and the start of a label, of the own tenant only', async () => {
    assert.deepEqual(await idsOf('q=park%20behind'), []);
    assert.deepEqual(await idsOf('q=behind%20hous'), [mine]);
    assert.deepEqual(await idsOf('q=PARKING'), [mine]);
    assert.deepEqual(await idsOf('q=visitor%20l00', 'clientUser'), [mine]);
    assert.deepEqual(await idsOf('q=parking', 'rivalOwner'), [rival]);
    assert.deepEqual(await idsOf('q=parking', 'otherClientUser'), []);
    assert.deepEqual(await idsOf(`q=${encodeURIComponent("' | !")}`), []);
  });

  it('finds addresses, numbers, dates and prices as they are written, each by itself and in a sentence', async () => {
    const texts = [
      'anna.miller@example.com',
      '312-555-0199',
      '+13125550198',
      '+49',
      'A-1234/B',
      'example.com/contact?x=1',
      '12.50',
      '2026-11-30',
    ];
    for (const text of [
      ...texts,
      'and/or',
      'AC/DC',
      'B12-7',
      'v1.2.3',
      'snake_case',
      "it's 10:30",
      '#4711',
      '<b>bold</b>',
      '19,90 €',
      'müller@exämple.de',
    ]) {
      const id = await addConversation(service, { texts: [`Here it is: ${text}`] });
      const other = await addConversation(service, { texts: ['Here it is: nothing'] });
      for (const q of [text, `is: ${text}`]) {
        const found = await idsOf(`limit=100&q=${encodeURIComponent(q)}`);
        assert.deepEqual([found.includes(id), found.includes(other)], [true, false], q);
      }
      await rows(service, 'delete from conversation where id = any($1)', [[id, other]]);
    }
  });

  it('finds words however their letters are written: with or without accents, ligatures and capitals', async () => {
    for (const [text, ...searches] of [
      ['¿Cuánto cuesta? Hasta mañana', 'cuanto', 'MANANA', 'cuánto', 'mañana', '¿Cuánto'],
      ['cuanto cuesta manana', 'cuánto', 'mañana'],
      ['Straße von Müller, GROẞ', 'strasse', 'STRASSE', 'straße', 'muller', 'MÜLLER', 'groß', 'gross'],
      ['Strasse von Muller', 'Straße', 'Müller'],
      ['Décomposé: u\u0308ber', 'decompose', 'über', 'uber', 'u\u0308ber'],
      ['ŁÓDŹ, Ærø, Œuvre, Þór, Iğdır', 'lodz', 'łódź', 'aero', 'ærø', 'oeuvre', 'œuvre', 'thor', 'þór', 'igdir', 'ığdır'],
      ['שָׁלוֹם, 서울', 'שלום', 'שָׁלוֹם', '서울'],
    ] as const) {
      const id = await addConversation(service, { texts: [text] });
      for (const q of searches) assert.deepEqual(await idsOf(`limit=100&q=${encodeURIComponent(q)}`), [id], `${q} in ${text}`);
      await rows(service, 'delete from conversation where id = $1', [id]);
    }
  });

  it('finds a visitor by the name that a reader of each language sees, and by its code', async () => {
    for (const q of ['Visitor L00', 'Besucher L001', 'besucher l00', 'Visitante L001'])
      assert.deepEqual(await idsOf(`q=${encodeURIComponent(q)}`, 'clientUser'), [mine], q);
    await rows(service, `update conversation set visitor_label = 'Visitor F0A9' where id = $1`, [mine]);
    for (const [q, found] of [
      ['f0a9', [mine]],
      ['Besucher F0A9', [mine]],
      ['f0a8', []],
      ['Besucher', []],
    ] as const)
      assert.deepEqual(await idsOf(`q=${encodeURIComponent(q)}`, 'clientUser'), found, q);
    await rows(service, `update conversation set visitor_label = 'Visitor L001' where id = $1`, [mine]);
  });

  it('cannot be searched under the name of another tenant', async () => {
    const { partnerId, clientId, rivalPartnerId } = service.world;
    const id = await addConversation(service, { texts: ['Is the rhododendron in bloom?'] });
    const found = async (reader: { partnerId: string; clientId: string | null }, partner: string | null, client: string | null) => {
      const { rows: ids } = await service.db.asTenant({ kind: 'tenant', ...reader }, (tx) =>
        sql<{
          id: string;
        }>`select id from search_conversations(${partner}::uuid, ${client}::uuid, 'rhododendron', 'none%', 10) as id`.execute(tx),
      );
      return ids.map((row) => row.id);
    };
    assert.deepEqual(await found({ partnerId, clientId: null }, partnerId, null), [id]);
    assert.deepEqual(await found({ partnerId, clientId }, partnerId, clientId), [id]);
    assert.deepEqual(await found({ partnerId: rivalPartnerId, clientId: null }, partnerId, null), []);
    assert.deepEqual(await found({ partnerId: rivalPartnerId, clientId: null }, null, null), []);
    assert.deepEqual(await found({ partnerId, clientId: service.world.otherClientId }, partnerId, clientId), []);
    assert.deepEqual(await found({ partnerId, clientId: service.world.otherClientId }, partnerId, null), []);
  });

  it('is the same rows as CSV', async () => {
    const list = await idsOf('limit=100&status=open');
    const { text } = await get(`${BASE}/export.csv?status=open`);
    assert.deepEqual(
      text
        .trim()
        .split(/\r?\n/)
        .slice(1)
        .map((line) => line.split(',')[0]?.replaceAll('"', '')),
      list,
    );
  });

  it('is headed and names its visitors in the language of a client', async () => {
    const { clientUser } = service.world.people;
    const csv = async () => (await get(`${BASE}/export.csv`, 'clientUser')).text;
    await rows(service, `update app_user set locale = 'de' where id = $1`, [clientUser.userId]);
    assert.match(await csv(), /^\uFEFF?Gespräch;Kunde;Besucher;Website;Status;.*\r\n[^;]+;[^;]+;Besucher /);
    await rows(service, `update app_user set locale = 'en-US' where id = $1`, [clientUser.userId]);
    assert.match(await csv(), /^\uFEFF?Conversation,Client,Visitor,.*\r\n[^,]+,[^,]+,Visitor /);
  });
});

describe('what a person has read', () => {
  it('is their own: unread until they read it, and again after a further message', async () => {
    const id = await addConversation(service);
    const isUnread = async (as: Person): Promise<boolean> => (await get(`${BASE}/${id}`, as)).body.isUnread;
    assert.deepEqual([await isUnread('owner'), await isUnread('moderator')], [true, true]);
    assert.equal((await post(`${BASE}/${id}/read`, 'moderator', {})).status, 204);
    assert.deepEqual([await isUnread('owner'), await isUnread('moderator')], [true, false]);
    assert.ok((await idsOf('unread=true')).includes(id));
    assert.ok(!(await idsOf('unread=true', 'moderator')).includes(id));
    await addMessage(service, id, 'visitor', 'Still there?');
    assert.equal(await isUnread('moderator'), true);
    await post(`${BASE}/${id}/read`, 'moderator', {});
    await post(`${BASE}/${id}/read`, 'moderator', { isRead: false });
    assert.equal(await isUnread('moderator'), true);
  });

  it('reaches to the message they have seen, not to one that arrived meanwhile', async () => {
    const id = await addConversation(service, { agoMinutes: 2 });
    const seen = (await get(`${BASE}/${id}`)).body.lastMessageAt;
    await addMessage(service, id, 'visitor', 'One more thing.', 1);
    await post(`${BASE}/${id}/read`, 'owner', { upTo: seen });
    assert.equal((await get(`${BASE}/${id}`)).body.isUnread, true);
  });

  it('is counted for the own conversations, next to those that wait for a person', async () => {
    const before = (await get(`${BASE}/counts`, 'otherClientUser')).body;
    await addConversation(service, { clientId: service.world.otherClientId, status: 'handed_off', waiting: true });
    await addConversation(service);
    assert.deepEqual((await get(`${BASE}/counts`, 'otherClientUser')).body, { unread: before.unread + 1, waiting: before.waiting + 1 });
  });

  it('counts and filters what they marked as unread that is older than they are', async () => {
    const id = await addConversation(service, { agoMinutes: 600 });
    const { userId } = service.world.people.moderator;
    await rows(service, `update app_user set created_at = now() - interval '5 minutes' where id = $1`, [userId]);
    const before = (await get(`${BASE}/counts`, 'moderator')).body.unread;
    assert.ok(!(await idsOf('unread=true', 'moderator')).includes(id));
    await post(`${BASE}/${id}/read`, 'moderator', { isRead: false });
    assert.ok((await idsOf('unread=true', 'moderator')).includes(id));
    assert.ok((await get(`${BASE}/counts`, 'moderator')).body.unread > before);
  });

  it('is no one’s in a view-as session: nothing is marked, filtered or counted as unread, and what waits is', async () => {
    const id = await addConversation(service, { status: 'handed_off', waiting: true });
    const headers = await viewAsClient();
    const listed = async (filter: string): Promise<{ id: string; isUnread: boolean }[]> =>
      (await service.call('GET', `${BASE}?${filter}`, { headers })).body.data;
    assert.deepEqual(await listed('unread=true'), []);
    for (const filter of ['', 'unread=false']) assert.equal((await listed(filter)).find((one) => one.id === id)?.isUnread, false, filter);
    assert.equal((await service.call('GET', `${BASE}/${id}`, { headers })).body.isUnread, false);
    const { unread, waiting } = (await service.call('GET', `${BASE}/counts`, { headers })).body;
    assert.deepEqual([unread, waiting > 0], [0, true]);
    assert.equal((await get(`${BASE}/${id}`)).body.isUnread, true);
  });

  it('is not marked by a view-as session', async () => {
    const id = await addConversation(service);
    const headers = await viewAsClient();
    for (const path of ['read', 'takeover', 'reply', 'close', 'typing']) {
      const reply = await service.call('POST', `${BASE}/${id}/${path}`, { headers, body: path === 'reply' ? { text: 'Hi' } : {} });
      assert.equal(reply.body?.code, 'view_as_read_only', path);
    }
  });
});

describe('a person who answers', () => {
  it('takes over, replies, gives back and closes; each is recorded once', async () => {
    const id = await addConversation(service, { status: 'handed_off', waiting: true, label: 'Visitor R1' });
    const taken = await post(`${BASE}/${id}/takeover`, 'owner');
    assert.deepEqual([taken.body.status, taken.body.assignedTo.name], ['handed_off', 'Owner Tester']);
    assert.notEqual(taken.body.waitingSince, null);
    assert.equal((await post(`${BASE}/${id}/takeover`, 'owner')).status, 200);
    const reply = await post(`${BASE}/${id}/reply`, 'owner', { text: 'We open at nine.' });
    assert.deepEqual([reply.status, reply.body.author, reply.body.authorName], [201, 'human', 'Owner Tester']);
    const answered = (await get(`${BASE}/${id}`)).body;
    assert.deepEqual(
      [answered.waitingSince, answered.lastMessage, answered.isUnread],
      [null, { author: 'human', text: 'We open at nine.' }, false],
    );
    const back = await post(`${BASE}/${id}/give-back`, 'owner');
    assert.deepEqual([back.body.status, back.body.assignedTo], ['open', null]);
    assert.equal((await post(`${BASE}/${id}/close`, 'owner')).body.status, 'closed');
    assert.deepEqual(
      (await auditOf(id)).map(({ action, label }) => [action, label]),
      ['taken_over', 'replied', 'given_back', 'closed'].map((action) => [`conversation.${action}`, 'Visitor R1']),
    );
  });

  it('ends the wait of the visitor with the reply, by closing and by giving back, but not by taking over', async () => {
    const { host, name } = service.database;
    const endsOf = (id: string): Promise<number> =>
      withClient({ ...host.adminConfig, database: name }, async (client) => {
        const found = await client.query(`select from graphile_worker._private_jobs where payload ->> 'conversationId' = $1`, [id]);
        return found.rowCount ?? 0;
      });
    const reply = { text: 'At nine.' };
    for (const [path, body] of [['reply', reply], ['close'], ['give-back']] as const) {
      const id = await addConversation(service, { status: 'handed_off', waiting: true });
      await post(`${BASE}/${id}/takeover`, 'owner');
      assert.equal(await endsOf(id), 0);
      assert.ok((await post(`${BASE}/${id}/${path}`, 'owner', body)).status < 300);
      assert.equal(await endsOf(id), 1, path);
      await post(`${BASE}/${id}/reply`, 'owner', reply);
      assert.equal(await endsOf(id), 1, 'nobody waited any more');
    }
  });

  it('who takes an open conversation over with a pending question is reminded of it from when it was asked', async () => {
    const asked = await addConversation(service, { agoMinutes: 7 });
    const taken = (await post(`${BASE}/${asked}/takeover`, 'owner')).body;
    assert.equal(taken.waitingSince, taken.lastMessageAt);
    const answered = await addConversation(service, { texts: ['When do you open?', 'At nine.'] });
    assert.equal((await post(`${BASE}/${answered}/takeover`, 'owner')).body.waitingSince, null);
    const replied = await addConversation(service);
    await post(`${BASE}/${replied}/reply`, 'owner', { text: 'At nine.' });
    assert.equal((await get(`${BASE}/${replied}`)).body.waitingSince, null);
  });

  it('takes an open conversation over with the reply; a client answers for itself, and each side sees who', async () => {
    const id = await addConversation(service);
    assert.equal((await post(`${BASE}/${id}/reply`, 'clientUser', { text: 'Hello, this is Oak Street.' })).status, 201);
    const seen = (await get(`${BASE}/${id}`, 'owner')).body;
    assert.deepEqual([seen.status, seen.assignedTo.name, seen.handoffReason], ['handed_off', 'ClientUser Tester', 'taken_over']);
  });

  it('is alone: of two at once one answers, and the other learns who', async () => {
    const id = await addConversation(service, { status: 'handed_off', waiting: true });
    const both = await Promise.all([post(`${BASE}/${id}/takeover`, 'owner'), post(`${BASE}/${id}/takeover`, 'clientUser')]);
    assert.deepEqual(new Set(both.map(({ status }) => status)), new Set([200, 409]));
    const [won, lost] = both[0].status === 200 ? (['owner', 'clientUser'] as const) : (['clientUser', 'owner'] as const);
    const refused = await post(`${BASE}/${id}/reply`, lost, { text: 'Me too' });
    assert.equal(refused.body.code, 'invalid_state');
    assert.match(refused.body.detail, new RegExp(`${won} Tester is answering`, 'i'));
    assert.equal((await post(`${BASE}/${id}/give-back`, lost)).status, 200);
    assert.equal((await post(`${BASE}/${id}/reply`, lost, { text: 'Now me' })).status, 201);
  });

  it('cannot answer a closed conversation', async () => {
    const id = await addConversation(service, { status: 'closed' });
    for (const [path, body] of [
      ['takeover', undefined],
      ['give-back', undefined],
      ['reply', { text: 'Hi' }],
    ] as const)
      assert.equal((await post(`${BASE}/${id}/${path}`, 'owner', body)).body.code, 'invalid_state', path);
    assert.equal((await post(`${BASE}/${id}/close`, 'owner')).status, 200);
  });

  it('sends the same message once, however often the request arrives', async () => {
    const id = await addConversation(service);
    const body = { text: 'Once', clientMessageId: randomUUID() };
    const sent = await Promise.all([post(`${BASE}/${id}/reply`, 'owner', body), post(`${BASE}/${id}/reply`, 'owner', body)]);
    assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(sent.map((reply) => reply.body.id)).size, 1);
    await post(`${BASE}/${id}/close`, 'owner');
    assert.equal((await post(`${BASE}/${id}/reply`, 'owner', body)).body.id, sent[0].body.id);
    assert.equal((await get(`${BASE}/${id}/messages`)).body.data.length, 2);
  });

  it('is no moderator and no staff', async () => {
    const id = await addConversation(service);
    const refused = { staff: 'role_forbidden', moderator: 'partner_role_forbidden' } as const;
    for (const path of ['takeover', 'give-back', 'close', 'typing']) await service.assertRefused('POST', `${BASE}/${id}/${path}`, refused);
    await service.assertRefused('POST', `${BASE}/${id}/reply`, refused, { text: 'Hi' });
    await service.assertRefused('POST', '/chatbot/canned-replies', refused, { title: 'A', text: 'B' });
    await service.assertRefused('DELETE', `/chatbot/canned-replies/${randomUUID()}`, refused);
    assert.equal((await post(`${BASE}/${id}/read`, 'staff', {})).status, 204);
  });
});

describe('the messages of a conversation', () => {
  it('come newest first, with the passages and the run behind the reply, in as many statements for one as for a page', async () => {
    const id = await addConversation(service, { texts: ['Text me please.'] });
    const { partnerId, clientId } = service.world;
    const workflowId = await service.db.asSystem('seed', (tx) =>
      addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back', name: 'Text back' }),
    );
    const { turnId, executionId } = await addRun(service, id, { workflowId, error: 'Twilio said no' });
    const few = await service.countStatements(() => get(`${BASE}/${id}/messages`));
    await addMessage(service, id, 'bot', 'I could not text you.', 0, turnId);
    for (let n = 0; n < 30; n += 1) await addMessage(service, id, n % 2 ? 'bot' : 'visitor', `Message ${n}`);
    const many = await service.countStatements(() => get(`${BASE}/${id}/messages?limit=100`));
    assert.deepEqual([many, few], [7, 7]);
    const { data } = (await get(`${BASE}/${id}/messages?limit=100`)).body;
    assert.deepEqual([data[0].text, data.at(-1).text], ['Message 29', 'Text me please.']);
    const reply = data.find(({ text }: { text: string }) => text === 'I could not text you.');
    assert.deepEqual(reply.runDetails, [
      { workflowId, agentName: 'Text back', executionId, status: 'FAILED', tone: null, summary: 'Texting failed: Twilio said no' },
    ]);
    const forClient = (await get(`${BASE}/${id}/messages?limit=100`, 'clientUser')).body.data.at(-2);
    assert.equal(forClient.runDetails[0].summary, 'Texting failed');
    assert.deepEqual((await get(`${BASE}/${id}`)).body.usage, {
      aiCalls: 0,
      inputTokens: 0,
      outputTokens: 0,
      aiCredits: 0,
      runs: 1,
      runCredits: 2,
    });
    assert.equal((await get(`${BASE}/${id}`, 'clientUser')).body.usage, null);
  });

  it('say no longer what a run did once its contents are no longer shown', async () => {
    const id = await addConversation(service, { texts: ['Text me please.'] });
    const { partnerId, clientId } = service.world;
    const workflowId = await service.db.asSystem('seed', (tx) => addWorkflow(tx, { partnerId, clientId, templateName: 'quote-follow-up' }));
    const startedAt = new Date(Date.now() - 91 * 86_400_000);
    const { turnId } = await addRun(service, id, { workflowId, startedAt, error: 'Twilio said no to Ada' });
    await addMessage(service, id, 'bot', 'I could not text you.', 0, turnId);
    for (const as of ['owner', 'clientUser'] as const) {
      const { data } = (await get(`${BASE}/${id}/messages`, as)).body;
      assert.deepEqual([data[0].runDetails[0].status, data[0].runDetails[0].summary], ['FAILED', 'The details are no longer stored.'], as);
    }
  });

  it('say whether the number that their visitor named is on the stop list of the client', async () => {
    const id = await addConversation(service);
    const { partnerId, clientId, otherClientId } = service.world;
    const seen = async (as: Person) => (await get(`${BASE}/${id}`, as)).body.isOnStopList;
    assert.equal(await seen('owner'), false);
    await rows(service, `update conversation set visitor_number = '+13125550177' where id = $1 returning id`, [id]);
    const list = (client: string) =>
      rows(service, `insert into opt_out (partner_id, client_id, contact) values ($1, $2, '+13125550177') returning id`, [
        partnerId,
        client,
      ]);
    await list(otherClientId);
    assert.equal(await seen('owner'), false, 'it is on that of another client');
    await list(clientId);
    assert.deepEqual([await seen('owner'), await seen('clientUser')], [true, true]);
  });

  it('are exported as their reader sees them: to a client without the cause of a failure', async () => {
    const id = await addConversation(service, { texts: ['=cmd()'] });
    const { partnerId, clientId } = service.world;
    const workflowId = await service.db.asSystem('seed', (tx) =>
      addWorkflow(tx, { partnerId, clientId, templateName: 'lead-qualifier', name: 'Text back' }),
    );
    const { turnId, executionId } = await addRun(service, id, { workflowId, error: 'Twilio said no' });
    await addMessage(service, id, 'bot', 'I could not text you.', 0, turnId);
    const csv = async (as: Person) => (await get(`${BASE}/${id}/messages/export.csv`, as)).text.trimEnd().split('\r\n').slice(1);
    const [reply, question, ...more] = await csv('moderator');
    assert.ok(reply?.endsWith(`,bot,,I could not text you.,,Text back,${executionId},FAILED,Texting failed: Twilio said no`), reply);
    assert.ok(question?.endsWith(",visitor,,'=cmd(),,,,,"), question);
    assert.deepEqual(more, []);
    const [shown] = await csv('clientUser');
    assert.ok(shown?.endsWith(`,${executionId},FAILED,Texting failed`), shown);
    await service.assertRefused('GET', `${BASE}/${id}/messages/export.csv`, { rivalOwner: 'not_found', otherClientUser: 'not_found' });
  });
});

describe('the run of a turn', () => {
  it('is shown with the visitor’s message until the chatbot replies, also when a person took over meanwhile', async () => {
    const id = await addConversation(service, { clientId: service.world.otherClientId, texts: [] });
    const question = await addMessage(service, id, 'visitor', 'Text me please.');
    const { partnerId, otherClientId: clientId } = service.world;
    const workflowId = await service.db.asSystem('seed', (tx) =>
      addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back', name: 'Text back' }),
    );
    const [turn] = await rows<{ id: string }>(
      service,
      `insert into conversation_turn (partner_id, client_id, conversation_id, state, workflow_id, upto_message_id)
        values ($1, $2, $3, 'running', $4, $5) returning id`,
      [partnerId, clientId, id, workflowId, question],
    );
    const runsOf = async (): Promise<[string, string[]][]> =>
      (await get(`${BASE}/${id}/messages`)).body.data.map(({ author, runs }: { author: string; runs: string[] }) => [author, runs]);
    assert.deepEqual(await runsOf(), [['visitor', [workflowId]]]);
    await rows(service, `update conversation_turn set state = 'done', finished_at = now() where id = $1`, [turn?.id]);
    assert.deepEqual(await runsOf(), [['visitor', [workflowId]]]);
    await addMessage(service, id, 'bot', 'That is done.', 0, turn?.id);
    assert.deepEqual(await runsOf(), [
      ['bot', [workflowId]],
      ['visitor', []],
    ]);
  });
});

describe('the trace of reading', () => {
  const looksOf = (clientId: string, as: Person) =>
    rows<{ kind: string }>(service, 'select kind from client_look where client_id = $1 and user_id = $2 order by kind', [
      clientId,
      service.world.people[as].userId,
    ]);
  const forget = () => rows(service, 'delete from client_look');

  it('is left by each person outside the client who reads messages or exports conversations', async () => {
    const { clientId, otherClientId } = service.world;
    const id = await addConversation(service);
    const reads: [name: string, as: Person, kind: string, read: () => Promise<unknown>][] = [
      ['messages', 'moderator', 'conversations', () => get(`${BASE}/${id}/messages`, 'moderator')],
      ['export of messages', 'staff', 'exports', () => get(`${BASE}/${id}/messages/export.csv`, 'staff')],
      ['staff export', 'staff', 'exports', () => get(`${BASE}/export.csv?clientId=${clientId}`, 'staff')],
      ['staff export of all', 'staff', 'exports', () => get(`${BASE}/export.csv`, 'staff')],
    ];
    for (const [name, as, kind, read] of reads) {
      await forget();
      await read();
      assert.deepEqual(await looksOf(clientId, as), [{ kind }], name);
      assert.equal((await looksOf(otherClientId, as)).length, name === 'staff export of all' ? 1 : 0, name);
    }
  });

  it('is not left by the client itself', async () => {
    const id = await addConversation(service);
    await forget();
    assert.equal((await get(`${BASE}/${id}/messages`, 'clientUser')).status, 200);
    assert.deepEqual(await rows(service, 'select id from client_look'), []);
  });
});

describe('prepared replies', () => {
  it('of a client are its own, and those of the agency are offered to all its clients', async () => {
    const path = '/chatbot/canned-replies';
    const add = async (as: Person, body: object) => (await post(path, as, { text: 'Text.', ...body })).body.id as string;
    const { clientId, otherClientId, rivalClientId } = service.world;
    const forAll = await add('owner', { title: 'For all' });
    const forOther = await add('owner', { title: 'For other', clientId: otherClientId });
    const own = await add('clientUser', { title: 'Own' });
    const listed = async (as: Person, query = '') => (await get(`${path}${query}`, as)).body.map(({ id }: { id: string }) => id);
    assert.deepEqual(await listed('clientUser'), [forAll, own]);
    assert.deepEqual(await listed('owner', `?clientId=${otherClientId}`), [forAll, forOther]);
    assert.deepEqual(await listed('owner'), [forAll, forOther, own]);
    assert.deepEqual(await listed('rivalOwner'), []);
    assert.equal((await post(path, 'owner', { title: 'A', text: 'B', clientId: rivalClientId })).status, 404);
    assert.equal((await post(path, 'clientUser', { title: 'A', text: 'B', clientId: otherClientId })).status, 404);
    for (const [as, id, status] of [
      ['clientUser', forAll, 404],
      ['rivalOwner', own, 404],
      ['otherClientUser', own, 404],
      ['clientUser', own, 204],
      ['owner', forAll, 204],
    ] as const)
      assert.equal((await service.call('DELETE', `${path}/${id}`, { as })).status, status, `${as} ${id}`);
    assert.deepEqual(
      (await auditOf(own)).map(({ action, label }) => [action, label]),
      [
        ['canned_reply.added', 'Own'],
        ['canned_reply.removed', 'Own'],
      ],
    );
    assert.ok(clientId);
  });

  it('are at most 200 of one owner, also when many are added at once', async () => {
    const { partnerId, otherClientId: clientId } = service.world;
    await rows(service, 'delete from canned_reply where client_id = $1', [clientId]);
    await rows(
      service,
      `insert into canned_reply (partner_id, client_id, title, content) select $1, $2, 'Prepared ' || n, 'Text.' from generate_series(1, 198) n`,
      [partnerId, clientId],
    );
    const added = await Promise.all(
      Array.from({ length: 6 }, (_unused, n) =>
        post('/chatbot/canned-replies', 'otherClientUser', { title: `Another ${n}`, text: 'Text.' }),
      ),
    );
    assert.deepEqual(
      added.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 201, 422, 422, 422, 422],
    );
    const [count] = await rows<{ n: number }>(service, 'select count(*)::int as n from canned_reply where client_id = $1', [clientId]);
    assert.equal(count?.n, 200);
    await rows(service, 'delete from canned_reply where client_id = $1', [clientId]);
  });
});

describe('an agency whose plan has no chatbot', () => {
  it('is refused, with its clients; staff still read', async () => {
    const { rivalPartnerId, rivalClientId } = service.world;
    const id = await addConversation(service, { partnerId: rivalPartnerId, clientId: rivalClientId });
    await rows(service, `update subscription set overrides = '{"features":{"chatbot":false}}' where partner_id = $1`, [rivalPartnerId]);
    const paths = ['', '/counts', '/stream', '/export.csv', `/${id}`, `/${id}/messages`, `/${id}/messages/export.csv`].map(
      (path) => BASE + path,
    );
    for (const as of ['rivalOwner', 'rivalClientUser'] as const) {
      for (const path of [...paths, '/chatbot/figures', '/chatbot/canned-replies'])
        assert.equal((await get(path, as)).body?.code, 'plan_feature_required', `${as} ${path}`);
      assert.equal((await post(`${BASE}/${id}/reply`, as, { text: 'Hi' })).body.code, 'plan_feature_required');
    }
    assert.equal((await get(`${BASE}/${id}`, 'staff')).status, 200);
    assert.equal((await get(BASE, 'owner')).status, 200);
  });
});

describe('the inbox of a client that is archived', () => {
  it('has no visitor who waits, refuses replies that no one could read, and can still be tidied', async () => {
    const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, service.world.partnerId, 'To archive'));
    const ids = [await addConversation(service, { clientId }), await addConversation(service, { clientId })];
    const [id = ''] = ids;
    await rows(
      service,
      `update conversation set status = 'handed_off', was_handed_off = true, handoff_reason = 'visitor', waiting_since = now() where id = any($1)`,
      [ids],
    );
    const waiting = async () => ((await get(`${BASE}?waiting=true&clientId=${clientId}`)).body.data as unknown[]).length;
    assert.equal(await waiting(), 2);
    assert.equal((await post(`/clients/${clientId}/archive`, 'owner', {})).status, 200);
    assert.equal(await waiting(), 0);
    for (const [path, body] of [
      ['reply', { text: 'Yes.' }],
      ['takeover', undefined],
    ] as const)
      assert.equal((await post(`${BASE}/${id}/${path}`, 'owner', body)).body.code, 'invalid_state', path);
    assert.equal((await post(`${BASE}/${id}/close`, 'owner')).status, 200);
  });
});
