import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AUDIT_ACTION_NAMES } from '@partner-portal/contract/audit-actions.ts';
import { clients } from '@partner-portal/service/modules/2-tenancy/clients/index.ts';
import { partners } from '@partner-portal/service/modules/2-tenancy/partners/index.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { sql } from 'kysely';
import { type Body, startTestService, type TestService } from '../../../../tests/harness/service.ts';
import type { Person } from '../../../../tests/harness/world.ts';
import { auditLog, recordAudit } from './index.ts';
import { newId } from '#platform/ids.ts';
import { LOOK_WINDOW } from './store.ts';

const UNKNOWN = '0198c2f4-7a10-7c3e-9b52-4f1d2a6e8c01';
let service: TestService;
before(async () => {
  service = await startTestService({
    modules: (platform) => [auditLog(platform), partners(platform), clients(platform)],
  });
});
after(() => service.close());

const list = async (as: Person, query = ''): Promise<Body[]> => {
  const reply = await service.call('GET', `/audit-log?limit=100${query}`, { as });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.data;
};
const newest = async (as: Person, query = ''): Promise<Body> => (await list(as, query))[0];
/** Inserts an entry with a time in the past. */
const writeAt = (at: Date, action = 'agent.changed', partnerId = service.world.partnerId): Promise<unknown> =>
  service.db.asSystem('seed', (tx) =>
    sql`insert into audit_entry (id, partner_id, at, actor_type, action, target_type, target_id, target_label)
      values (uuid_floor(${at}::timestamptz + interval '1 second'), ${partnerId}, ${at}, 'system', ${action}, 'agent', 'old', 'An old agent')`.execute(
      tx,
    ),
  );
/** One day for the whole file and its start, so that no entry falls into another month than the one it is named for. */
const TODAY = new Date().setUTCHours(0, 0, 0, 0);
const daysAgo = (days: number): Date => new Date(TODAY - days * 86_400_000);

describe('a change', () => {
  it('is recorded with who, what, before and after, from where and in which request', async () => {
    const { world } = service;
    const headers = { 'user-agent': 'a browser' };
    const reply = await service.call('PATCH', `/clients/${world.clientId}`, { as: 'owner', body: { contactName: 'Elena' }, headers });
    assert.equal(reply.status, 200);
    const { id, at, changes, ...entry } = await newest('owner');
    assert.match(id, /^[\da-f-]{36}$/);
    assert.ok(Date.now() - Date.parse(at) < 60_000);
    assert.deepEqual(changes.contactName, [null, 'Elena']);
    assert.deepEqual(entry, {
      partnerId: world.partnerId,
      partnerName: 'Acme Agency',
      clientId: world.clientId,
      clientName: 'Oak Street Dental',
      actor: { type: 'user', id: world.people.owner.userId, email: 'owner@portal.test', name: 'Owner Tester', via: null },
      action: 'client.changed',
      target: { type: 'client', id: world.clientId, label: 'Oak Street Dental' },
      result: 'ok',
      ip: '127.0.0.1',
      userAgent: 'a browser',
      requestId: reply.headers['x-request-id'],
    });
  });

  it('of staff is shown to the partner as platform staff, without internal notes', async () => {
    const { partnerId, people } = service.world;
    const body = { internalNotes: 'pays late, watch them', name: 'Acme & Co' };
    assert.equal((await service.call('PATCH', `/partners/${partnerId}`, { as: 'staff', body })).status, 200);
    const seen = await newest('owner');
    assert.deepEqual(seen.actor, { type: 'staff', id: null, email: null, name: 'Platform staff', via: null });
    assert.deepEqual([seen.ip, seen.userAgent], [null, null]);
    assert.deepEqual(seen.changes, { name: ['Acme Agency', 'Acme & Co'], internalNotes: ['changed', 'changed'] });
    const forStaff = await newest('staff', `&partnerId=${partnerId}`);
    assert.deepEqual([forStaff.id, forStaff.actor.email, forStaff.ip], [seen.id, people.staff.email, '127.0.0.1']);
    assert.deepEqual(forStaff.changes.internalNotes, [null, 'pays late, watch them']);
    // Nor can it be filtered for by guessing the user.
    for (const guess of [people.staff.userId, people.staff.email]) assert.deepEqual(await list('owner', `&actor=${guess}`), []);
    assert.ok((await list('owner', '&actor=staff')).some((entry) => entry.id === seen.id));
    assert.ok((await list('staff', `&actor=${people.staff.email}`)).some((entry) => entry.id === seen.id));
  });

  it('in a view-as session names the viewing user, staff only to staff', async () => {
    const { partnerId, clientId, people } = service.world;
    for (const [person, type] of [
      ['owner', 'user'],
      ['staff', 'staff'],
    ] as const) {
      const { userId, email } = people[person];
      const session = { ...people.clientUser, userId, email, authMethod: 'view_as', actingUserId: userId } as const;
      const actor = { ...service.actor('clientUser'), ...session, readOnly: true };
      await service.db.asTenant({ kind: 'tenant', partnerId, clientId }, (tx) =>
        recordAudit(tx, { partnerId, clientId, actor, action: 'session.signed_out' }),
      );
      const real = await newest('staff', `&partnerId=${partnerId}&action=session.signed_out`);
      assert.deepEqual([real.actor.type, real.actor.via.id, real.actor.via.email, real.clientId], [type, userId, email, clientId]);
      const seen = await newest('owner', '&action=session.signed_out');
      assert.equal(seen.id, real.id);
      assert.deepEqual(seen.actor.via?.email ?? null, person === 'owner' ? email : null);
      assert.equal(JSON.stringify(seen).includes(people.staff.email), false);
    }
  });
});

describe('a refused attempt', () => {
  it('is recorded with action, actor and reason, and nothing was changed', async () => {
    const { clientId, people } = service.world;
    await service.call('PATCH', `/clients/${clientId}`, { as: 'owner', body: { contactName: 'Known' } });
    const reply = await service.call('PATCH', `/clients/${clientId}`, { as: 'moderator', body: { contactName: 'Nobody' } });
    assert.equal(reply.body.code, 'partner_role_forbidden');
    const entry = await newest('owner', '&result=refused');
    assert.deepEqual(
      [entry.action, entry.result, entry.changes, entry.actor.id, entry.clientId, entry.requestId],
      ['client.changed', 'refused', { refusal: [null, 'partner_role_forbidden'] }, people.moderator.userId, clientId, reply.body.requestId],
    );
    assert.deepEqual(entry.target, { type: 'client', id: clientId, label: 'Oak Street Dental' });
  });

  it('on another partner\u2019s record is in the log of the caller, without a name, and not in the other', async () => {
    const { rivalClientId, rivalPartnerId } = service.world;
    assert.equal(
      (await service.call('PATCH', `/clients/${rivalClientId}`, { as: 'rivalOwner', body: { contactName: 'Own' } })).status,
      200,
    );
    const before = await list('rivalOwner');
    for (const id of [rivalClientId, UNKNOWN]) {
      assert.equal((await service.call('POST', `/clients/${id}/suspend`, { as: 'owner', body: {} })).body.code, 'not_found');
      const entry = await newest('owner');
      assert.deepEqual(entry.target, { type: 'client', id, label: null });
      assert.deepEqual([entry.clientId, entry.clientName, entry.changes], [null, null, { refusal: [null, 'not_found'] }]);
    }
    assert.deepEqual(await list('rivalOwner'), before);
    assert.ok((await list('staff', `&partnerId=${rivalPartnerId}`)).every((entry) => entry.partnerId === rivalPartnerId));
  });

  it('of a client, in a wrong state or of a stale form is recorded; a mistyped form is not', async () => {
    const { clientId } = service.world;
    const count = async (): Promise<number> => (await list('owner', '&result=refused')).length;
    let expected = await count();
    for (const [as, method, path, body, headers, code, isRecorded] of [
      ['clientUser', 'POST', `/clients/${clientId}/suspend`, {}, {}, 'role_forbidden', true],
      ['owner', 'POST', `/clients/${clientId}/resume`, {}, {}, 'invalid_state', true],
      ['owner', 'PATCH', `/clients/${clientId}`, { contactName: 'X' }, { 'if-match': '"2020-01-01T00:00:00.000Z"' }, 'stale_record', true],
      ['owner', 'POST', '/clients', { name: '' }, {}, 'validation_failed', false],
      ['owner', 'GET', `/clients/${UNKNOWN}`, undefined, {}, 'not_found', false],
    ] as const) {
      const reply = await service.call(method, path, { as, ...(body ? { body } : {}), headers });
      assert.equal(reply.body.code, code, reply.text);
      expected += isRecorded ? 1 : 0;
      assert.equal(await count(), expected, `${code} of ${as}`);
    }
    assert.equal((await newest('owner', '&action=client.suspended')).clientId, clientId);
  });

  it('of staff on a partner is in that partner\u2019s log, any other in their own', async () => {
    const { partnerId, housePartnerId } = service.world;
    const stale = { 'if-match': '"2020-01-01T00:00:00.000Z"' };
    const change = (id: string) => service.call('PATCH', `/partners/${id}`, { as: 'staff', body: { name: 'Other' }, headers: stale });
    assert.equal((await change(partnerId)).body.code, 'stale_record');
    assert.deepEqual((await newest('owner')).changes, { refusal: [null, 'stale_record'] });
    assert.equal((await change(UNKNOWN)).body.code, 'not_found');
    const own = await newest('staff', `&partnerId=${housePartnerId}`);
    assert.deepEqual([own.partnerId, own.target.id], [housePartnerId, UNKNOWN]);
  });

  it('stores no token from a path', async () => {
    const token = 'c'.repeat(43);
    assert.equal((await service.call('PATCH', `/clients/${token}`, { as: 'owner', body: { name: 'X' } })).body.code, 'not_found');
    assert.equal((await newest('owner')).target, null);
    assert.ok(!JSON.stringify(await list('owner')).includes(token));
  });
});

describe('reading the log', () => {
  it('is for staff and the partner, each in their own scope, and for no client', async () => {
    for (const path of ['/audit-log', '/audit-log/actions', '/audit-log/export.csv', '/audit-log/export.ndjson'])
      await service.assertRefused('GET', path, { clientUser: 'role_forbidden', rivalClientUser: 'role_forbidden' });
    const { partnerId, rivalPartnerId, rivalClientId, clientId } = service.world;
    assert.ok((await list('moderator')).every((entry) => entry.partnerId === partnerId));
    assert.ok((await list('rivalOwner')).every((entry) => entry.partnerId === rivalPartnerId));
    assert.ok(new Set((await list('staff')).map((entry) => entry.partnerId)).size > 1);
    for (const [query, code] of [
      [`partnerId=${partnerId}`, 'scope_forbidden'],
      [`clientId=${rivalClientId}`, 'not_found'],
      [`clientId=${UNKNOWN}`, 'not_found'],
      ['action=no.such_action', 'invalid_query'],
      ['cursor=nonsense', 'invalid_cursor'],
    ])
      assert.equal((await service.call('GET', `/audit-log?${query}`, { as: 'owner' })).body.code, code, query);
    assert.equal((await service.call('GET', `/audit-log?partnerId=${UNKNOWN}`, { as: 'staff' })).body.code, 'not_found');
    assert.ok((await list('owner', `&clientId=${clientId}`)).every((entry) => entry.clientId === clientId));
  });

  it('applies each filter and all of them together', async () => {
    const all = await list('owner');
    const { clientId, people } = service.world;
    for (const [query, fits] of [
      ['&result=refused', (entry) => entry.result === 'refused'],
      ['&result=ok', (entry) => entry.result === 'ok'],
      ['&action=client.changed', (entry) => entry.action === 'client.changed'],
      ['&targetType=client', (entry) => entry.target?.type === 'client'],
      [`&targetId=${clientId}`, (entry) => entry.target?.id === clientId],
      [`&targetType=client&targetId=${clientId}`, (entry) => entry.target?.type === 'client' && entry.target.id === clientId],
      [`&clientId=${clientId}`, (entry) => entry.clientId === clientId],
      [`&actor=${people.moderator.userId}`, (entry) => entry.actor.id === people.moderator.userId],
      [`&actor=${people.moderator.email.toUpperCase()}`, (entry) => entry.actor.email === people.moderator.email],
      ['&actor=staff', (entry) => entry.actor.type === 'staff'],
      [`&from=${all[3].at}`, (entry) => entry.at >= all[3].at],
      [`&to=${all[3].at}`, (entry) => entry.at < all[3].at],
      [
        `&clientId=${clientId}&result=refused&action=client.changed&actor=${people.moderator.userId}`,
        (entry) =>
          entry.clientId === clientId &&
          entry.result === 'refused' &&
          entry.action === 'client.changed' &&
          entry.actor.id === people.moderator.userId,
      ],
    ] as [string, (entry: Body) => boolean][]) {
      const expected = all.filter(fits).map((entry) => entry.id);
      assert.ok(expected.length > 0, `${query} has something to find`);
      assert.deepEqual(
        (await list('owner', query)).map((entry) => entry.id),
        expected,
        query,
      );
    }
  });

  it('pages without repeating or omitting an entry, with any filter', async () => {
    for (const query of ['', '&result=refused', `&actor=${service.world.people.owner.userId}`]) {
      const whole = (await list('owner', query)).map((entry) => entry.id);
      const paged: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const reply = await service.call('GET', `/audit-log?limit=3${query}&cursor=${cursor}`, { as: 'owner' });
        assert.equal(reply.status, 200, reply.text);
        paged.push(...reply.body.data.map((entry: Body) => entry.id));
        cursor = reply.body.nextCursor;
      }
      assert.deepEqual(paged, whole, query);
    }
  });

  it('scans a bounded number of entries per page for a rare filter, and continues from there', async () => {
    const { rivalPartnerId } = service.world;
    await service.db.asSystem('seed', (tx) =>
      sql`insert into audit_entry (partner_id, actor_type, action, target_type, target_id) select ${rivalPartnerId}, 'system', 'agent.changed', 'agent', 'many'
        from generate_series(1, ${LOOK_WINDOW + 100})`.execute(tx),
    );
    const query = '/audit-log?actor=user';
    const first = await service.call('GET', query, { as: 'rivalOwner' });
    assert.deepEqual(first.body.data, []);
    const second = await service.call('GET', `${query}&cursor=${first.body.nextCursor}`, { as: 'rivalOwner' });
    assert.ok(second.body.data.length > 0);
    assert.equal(second.body.nextCursor, null);
    // A filter that an index serves needs no further page.
    assert.equal((await list('rivalOwner', '&action=client.changed')).length, 1);
    const { userId, email } = service.world.people.rivalOwner;
    for (const actor of [userId, encodeURIComponent(email)]) {
      const reply = await service.call('GET', `/audit-log?actor=${actor}`, { as: 'rivalOwner' });
      const done = second.body.data.filter((entry: Body) => entry.actor.id === userId);
      assert.ok(done.length > 0);
      assert.deepEqual(reply.body, { data: done, nextCursor: null }, actor);
    }
    assert.deepEqual((await service.call('GET', '/audit-log?actor=staff', { as: 'rivalOwner' })).body.data, []);
    const file = await service.call(
      'GET',
      `/audit-log/export.ndjson?actor=${service.world.people.rivalOwner.userId}&action=client.changed`,
      { as: 'rivalOwner' },
    );
    assert.equal(file.text.trim().split('\n').length, 1);
  });

  it('shows by no cursor that one of staff acted, however often', async () => {
    const { rivalPartnerId, people } = service.world;
    const { userId, email } = people.staff;
    await service.db.asSystem('seed', (tx) =>
      sql`insert into audit_entry (partner_id, actor_type, actor_id, actor_email, action, target_type, target_id)
        select ${rivalPartnerId}, 'staff', ${userId}, ${email}, 'agent.changed', 'agent', 'many' from generate_series(1, ${LOOK_WINDOW + 1})`.execute(
        tx,
      ),
    );
    for (const guess of [userId, encodeURIComponent(email)])
      for (const also of ['', '&result=ok', '&targetType=agent'])
        assert.deepEqual(
          (await service.call('GET', `/audit-log?actor=${guess}${also}`, { as: 'rivalOwner' })).body,
          { data: [], nextCursor: null },
          also,
        );
  });

  it('pages through what a user did themselves and in view-as sessions, past windows that hold nothing', async () => {
    const { rivalPartnerId } = service.world;
    const userId = newId();
    await service.db.asSystem('seed', (tx) =>
      sql`insert into audit_entry (id, partner_id, actor_type, actor_id, actor_via, action, target_type, target_id)
        select uuidv7(make_interval(secs => -n)), ${rivalPartnerId}, 'user', case n % 3 when 2 then null else ${userId}::uuid end,
          case n % 3 when 0 then null else ${userId} end, 'agent.changed', case when n % 700 = 1 then 'client' else 'agent' end, 'of-' || n
        from generate_series(1, ${LOOK_WINDOW * 2 + 500}) n`.execute(tx),
    );
    const { rows } = await service.db.asSystem('seed', (tx) =>
      sql<{
        id: string;
      }>`select id from audit_entry where partner_id = ${rivalPartnerId} and target_type = 'client' and target_id like 'of-%' order by id desc`.execute(
        tx,
      ),
    );
    assert.equal(rows.length, 7);
    const found: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages += 1) {
      const reply = await service.call('GET', `/audit-log?actor=${userId}&targetType=client&limit=2&cursor=${cursor}`, {
        as: 'rivalOwner',
      });
      assert.equal(reply.status, 200, reply.text);
      found.push(...reply.body.data.map((entry: Body) => entry.id));
      cursor = reply.body.nextCursor;
    }
    assert.deepEqual(
      found,
      rows.map(({ id }) => id),
    );
    assert.ok(pages >= 4, String(pages));
  });

  it('names every action', async () => {
    const reply = await service.call('GET', '/audit-log/actions', { as: 'moderator' });
    assert.deepEqual(
      reply.body.map((one: Body) => one.action),
      AUDIT_ACTION_NAMES,
    );
    assert.ok(reply.body.every((one: Body) => one.label.length > 3));
  });

  it('takes a fixed number of statements', async () => {
    const read = (as: Person): Promise<number> => service.countStatements(() => list(as));
    assert.equal(await read('owner'), 5);
    assert.equal(await read('rivalOwner'), 5);
    assert.equal(await read('staff'), 4);
  });
});

describe('the export of the log', () => {
  it('has the entries of the list under the same filters, and the export is recorded', async () => {
    for (const format of ['csv', 'ndjson']) {
      const listed = await list('owner', '&result=refused');
      const reply = await service.call('GET', `/audit-log/export.${format}?result=refused`, { as: 'moderator' });
      assert.match(String(reply.headers['content-disposition']), new RegExp(`^attachment; filename="audit-log-[\\d-]+\\.${format}"$`));
      if (format === 'ndjson') {
        assert.match(String(reply.headers['content-type']), /^application\/x-ndjson/);
        assert.deepEqual(
          reply.text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as Body),
          listed,
        );
      } else {
        const lines = reply.text.replace('\uFEFF', '').trimEnd().split('\r\n');
        assert.match(lines[0] ?? '', /^When,What happened,Result,/);
        assert.equal(lines.length, listed.length + 1);
        assert.ok(lines.some((line) => line.includes('Moderator Tester tried to change Oak Street Dental')));
        listed.forEach((entry, at) => assert.ok(lines[at + 1]?.endsWith(entry.id)));
      }
      const entry = await newest('owner');
      assert.deepEqual(
        [entry.action, entry.result, entry.changes],
        ['audit_log.exported', 'ok', { format: [null, format], result: [null, 'refused'] }],
      );
      assert.equal(entry.actor.id, service.world.people.moderator.userId);
    }
  });

  it('of one partner by staff is recorded at that partner; a refused one as refused', async () => {
    const { partnerId, rivalClientId } = service.world;
    assert.equal((await service.call('GET', `/audit-log/export.csv?partnerId=${partnerId}`, { as: 'staff' })).status, 200);
    assert.deepEqual((await newest('owner')).actor.name, 'Platform staff');
    assert.equal((await service.call('GET', `/audit-log/export.csv?clientId=${rivalClientId}`, { as: 'owner' })).body.code, 'not_found');
    const entry = await newest('owner');
    assert.deepEqual([entry.action, entry.result], ['audit_log.exported', 'refused']);
  });

  it('names by address in its entry a member, or a user of the client whose entry it is; other addresses are masked', async () => {
    const { people, clientId, otherClientId } = service.world;
    const { clientUser, moderator, rivalOwner, staff } = people;
    const recorded = async (as: Person, filters: string): Promise<unknown[]> => {
      assert.equal((await service.call('GET', `/audit-log/export.csv?${filters}`, { as })).status, 200);
      const { changes, clientId: entryOf } = await newest(as);
      const { format: _format, ...kept } = changes;
      return [kept, entryOf];
    };
    const actor = (value: string) => ({ actor: [null, value] });
    assert.deepEqual(await recorded('owner', `actor=${moderator.email}`), [actor(moderator.email), null]);
    assert.deepEqual(await recorded('owner', `actor=${clientUser.email.toUpperCase()}`), [actor(clientUser.email), clientId]);
    assert.deepEqual(await recorded('owner', `actor=${clientUser.userId}`), [actor(clientUser.userId), null]);
    for (const email of [rivalOwner.email, staff.email])
      assert.deepEqual(await recorded('owner', `actor=${email}`), [actor(`${email[0]}···@portal.test`), null]);
    assert.deepEqual(await recorded('owner', 'actor=Anna%20M%C3%BCller&targetId=anna%40shops.test'), [
      { ...actor('···'), targetId: [null, 'a···@shops.test'] },
      null,
    ]);
    assert.deepEqual(await recorded('owner', `actor=${clientUser.email}&clientId=${otherClientId}`), [
      { ...actor('c···@portal.test'), clientId: [null, otherClientId] },
      otherClientId,
    ]);
    // As the purge of the log of staff compares addresses.
    assert.deepEqual(await recorded('staff', `actor=${clientUser.email.toUpperCase()}`), [actor(clientUser.email), null]);
  });

  it('continues beyond its first page', async () => {
    const { rivalPartnerId } = service.world;
    const [row] = (
      await service.db.asSystem('seed', (tx) =>
        sql<{ count: number }>`select count(*)::int as count from audit_entry where partner_id = ${rivalPartnerId}`.execute(tx),
      )
    ).rows;
    const reply = await service.call('GET', '/audit-log/export.ndjson', { as: 'rivalOwner' });
    const ids = reply.text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Body).id);
    assert.equal(ids.length, row?.count);
    assert.equal(new Set(ids).size, ids.length);
  });
});

describe('retention', () => {
  it('is per plan, at least a year; staff read everything', async () => {
    const { partnerId } = service.world;
    await writeAt(daysAgo(400));
    await writeAt(daysAgo(800));
    const old = async (as: Person, query = ''): Promise<number> => (await list(as, `&targetType=agent&targetId=old${query}`)).length;
    const setDays = (value: unknown): Promise<unknown> =>
      service.db.asSystem('seed', (tx) =>
        sql`update subscription set overrides = ${JSON.stringify({ features: { auditRetentionDays: value } })} where partner_id = ${partnerId}`.execute(
          tx,
        ),
      );
    assert.equal(await old('owner'), 1, 'Growth retains two years');
    for (const [days, seen] of [
      [365, 0],
      [30, 0],
      ['forever', 0],
      [1095, 2],
    ] as const) {
      await setDays(days);
      assert.equal(await old('owner'), seen, String(days));
    }
    await setDays(365);
    assert.equal(await old('staff', `&partnerId=${partnerId}`), 2);
  });

  it('ends a month at a time, after the longest retention of any partner', async () => {
    const { partnerId, rivalPartnerId } = service.world;
    await service.db.asSystem('seed', (tx) => sql`delete from audit_entry where target_id = 'old'`.execute(tx));
    // Old months, as a service that has run for years has them.
    const { adminConfig } = service.database.host;
    await withClient({ ...adminConfig, database: service.database.name }, async (client) => {
      await client.query('set role portal_owner');
      for (const days of [400, 1200]) await client.query('select create_month_partitions($1, $2, 1)', ['audit_entry', daysAgo(days)]);
    });
    await writeAt(daysAgo(400));
    await writeAt(daysAgo(1200), 'agent.changed', rivalPartnerId);
    const sweep = async (): Promise<string[]> =>
      (
        await service.db.asSystem('sweep', (tx) =>
          sql<{ name: string }>`select m.name from partitioned_table p, maintain_partitions(p.name) as m(name)`.execute(tx),
        )
      ).rows
        .map((row) => row.name)
        .filter((name) => name.startsWith('audit_entry'));
    const month = (days: number): string => `audit_entry_${daysAgo(days).toISOString().slice(0, 7).replace('-', '_')}`;
    assert.deepEqual(await sweep(), [month(1200)], 'the rival\u2019s plan retains two years');
    assert.deepEqual(await sweep(), []);
    await service.db.asSystem('seed', (tx) =>
      sql`update subscription set overrides = '{"features": {"auditRetentionDays": 365}}' where partner_id in (${partnerId}, ${rivalPartnerId})`.execute(
        tx,
      ),
    );
    assert.deepEqual(await sweep(), [month(400)]);
    assert.ok((await list('owner')).length > 10, 'this year stays');
  });
});
