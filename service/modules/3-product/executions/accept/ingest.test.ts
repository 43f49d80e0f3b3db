import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { measuredDuring } from '@partner-portal/tests/harness/measured.ts';
import { addPartner, addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { withClient } from '#platform/db/roles.ts';
import { newId } from '#platform/ids.ts';
import { sweepIdempotencyKeys } from './store-accept.ts';

let service: ExecutionService;

before(async () => {
  service = await startExecutionService();
});
after(() => service.close());

const inbound = (workflowId: string) =>
  service.query<{ outcome: string; reason: string | null; status: number; body_preview: string | null; execution_id: string | null }>(
    `select outcome, reason, status, body_preview, execution_id from (
      select id, outcome, reason, status, body_preview, execution_id from inbound_event where workflow_id = $1
      union all
      select e.id, 'accepted', null, 202, p.body_preview, e.id from execution e join execution_payload p on p.partner_id = e.partner_id and p.id = e.id
      where e.workflow_id = $1 and e.source = 'ingest') calls order by id`,
    [workflowId],
  );
const runsOf = (workflowId: string) =>
  service.query<{ id: string; status: string; summary: string; source: string }>(
    'select id, status, summary, source from execution where workflow_id = $1 order by id',
    [workflowId],
  );

describe('an event posted to an ingest URL', () => {
  it('has a committed execution and a queued dispatch when the 202 is sent, logged with masked numbers', async () => {
    const workflowId = await service.addAgent();
    const reply = await service.ingest(workflowId, CALL);
    assert.equal(reply.status, 202);
    assert.equal(reply.body.accepted, true);
    assert.deepEqual(
      (await runsOf(workflowId)).map(({ id, status, source }) => ({ id, status, source })),
      [{ id: reply.body.executionId, status: 'RUNNING', source: 'ingest' }],
    );
    assert.equal((await service.query('select 1 from dispatch where execution_id = $1', [reply.body.executionId])).length, 1);
    const [logged] = await inbound(workflowId);
    assert.equal(logged?.outcome, 'accepted');
    assert.equal(logged?.execution_id, reply.body.executionId);
    assert.ok(!logged?.body_preview?.includes('5550121'));
    assert.equal(reply.headers['ratelimit-limit'], '60');
    assert.equal(reply.headers['ratelimit-remaining'], '59');
  });

  it('may be a form with the names a phone provider uses', async () => {
    const workflowId = await service.addAgent({ clientId: service.world.otherClientId });
    const reply = await service.ingest(workflowId, undefined, {
      rawBody: new URLSearchParams({ From: '+13125550121', To: '+13125550100', CallSid: 'CA1' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(reply.status, 202);
    const [payload] = await service.query<{ input: Record<string, unknown> }>('select input from execution_payload where id = $1', [
      reply.body.executionId,
    ]);
    assert.deepEqual(payload?.input, { ...CALL, CallSid: 'CA1' });
  });

  it('stores members the template does not know, and is not refused for characters the database cannot store', async () => {
    const workflowId = await service.addAgent({ templateName: 'lead-intake-cleaner' });
    const reply = await service.ingest(workflowId, { name: 'A\u0000da', note: 'half \ud83d', extra: { deep: [1, 2] } });
    assert.equal(reply.status, 202);
    const [payload] = await service.query<{ input: Record<string, unknown> }>('select input from execution_payload where id = $1', [
      reply.body.executionId,
    ]);
    assert.deepEqual(payload?.input, { name: 'Ada', note: 'half \ufffd', extra: { deep: [1, 2] } });
  });

  it('takes at most four statements', async () => {
    const workflowId = await service.addAgent({ templateName: 'review-request' });
    const event = { customerName: 'Ada', customerPhone: '+13125550121' };
    await service.executions.flushNotices();
    const count = await service.countStatements(async () => {
      assert.equal((await service.ingest(workflowId, event)).status, 202);
      await service.executions.flushNotices();
    });
    assert.ok(count <= 4, `${count} statements`);
  });
});

describe('the order of checks', () => {
  const cases: {
    name: string;
    make: () => Promise<string>;
    token?: string;
    body?: unknown;
    rawBody?: string;
    status: number;
    code: string;
    logged: string | null;
  }[] = [
    {
      name: 'a bad token comes before an unknown workflow and before an unreadable body',
      make: async () => '01890000-0000-7000-8000-000000000000',
      token: 'f'.repeat(64),
      rawBody: '{',
      status: 401,
      code: 'invalid_ingest_token',
      logged: null,
    },
    {
      name: 'an unknown workflow comes before its body',
      make: async () => '01890000-0000-7000-8000-000000000000',
      rawBody: '{',
      status: 404,
      code: 'not_found',
      logged: null,
    },
    {
      name: 'a suspended account comes before a switched-off agent',
      make: async () => {
        const { id, workflowId } = await otherAgency('suspended-one', 0);
        await service.query(`update partner set status = 'suspended' where id = $1`, [id]);
        await service.query('update workflow set is_active = false where id = $1', [workflowId]);
        return workflowId;
      },
      rawBody: '{',
      status: 403,
      code: 'account_suspended',
      logged: 'account_suspended',
    },
    {
      name: 'a switched-off agent comes before a spent quota',
      make: async () => {
        const { workflowId } = await otherAgency('switched-off', 0);
        await service.query('update workflow set is_active = false where id = $1', [workflowId]);
        return workflowId;
      },
      rawBody: '{',
      status: 409,
      code: 'workflow_inactive',
      logged: 'workflow_inactive',
    },
    {
      name: 'an agent that is not installed takes nothing',
      make: async () => {
        const { workflowId } = await otherAgency('not-installed', 100);
        await service.query('update workflow set provider_flow_id = null where id = $1', [workflowId]);
        return workflowId;
      },
      body: CALL,
      status: 409,
      code: 'workflow_inactive',
      logged: 'workflow_inactive',
    },
    {
      name: 'a spent quota comes before an unreadable body',
      make: async () => (await otherAgency('spent', 0)).workflowId,
      rawBody: '{',
      status: 402,
      code: 'quota_exceeded',
      logged: 'quota_exceeded',
    },
    {
      name: 'an unreadable body is refused and logged last',
      make: async () => (await otherAgency('unreadable', 9)).workflowId,
      rawBody: '{',
      status: 400,
      code: 'malformed_json',
      logged: 'malformed_json',
    },
    {
      name: 'a list of texts is no event',
      make: async () => (await otherAgency('list', 9)).workflowId,
      body: ['x', CALL],
      status: 422,
      code: 'validation_failed',
      logged: 'validation_failed',
    },
    {
      name: 'a missing input is named',
      make: async () => (await otherAgency('missing', 9)).workflowId,
      body: { callerNumber: '+13125550121' },
      status: 422,
      code: 'missing_input',
      logged: 'missing_input',
    },
  ];
  for (const one of cases) {
    it(one.name, async () => {
      const workflowId = await one.make();
      const reply = await service.ingest(workflowId, one.body, {
        ...(one.token ? { token: one.token } : {}),
        ...(one.rawBody ? { rawBody: one.rawBody } : {}),
      });
      assert.deepEqual([reply.status, reply.body.code], [one.status, one.code]);
      assert.deepEqual(
        (await inbound(workflowId)).map(({ outcome, reason, status }) => ({ outcome, reason, status })),
        one.logged === null ? [] : [{ outcome: 'refused', reason: one.logged, status: one.status }],
      );
      assert.deepEqual(await runsOf(workflowId), []);
    });
  }

  it('a missing input shows the template’s example', async () => {
    const { workflowId } = await otherAgency('example', 9);
    const reply = await service.ingest(workflowId, {});
    assert.deepEqual(
      reply.body.missing.map((one: { key: string }) => one.key),
      ['callerNumber', 'businessNumber'],
    );
    assert.match(reply.body.detail, /\+13125550121/);
  });

  it('a body over 256 KiB is 413 with the limit and an unknown media type 415, both after the token', async () => {
    const { workflowId } = await otherAgency('large', 9);
    const large = await service.ingest(workflowId, undefined, { rawBody: JSON.stringify({ ...CALL, filler: 'x'.repeat(262_144) }) });
    assert.deepEqual([large.status, large.body.code, large.body.limitBytes], [413, 'too_large', 262_144]);
    const strange = await service.ingest(workflowId, undefined, { rawBody: '<a/>', headers: { 'content-type': 'text/xml' } });
    assert.deepEqual([strange.status, strange.body.code], [415, 'unsupported_media_type']);
    assert.deepEqual(
      (await inbound(workflowId)).map((one) => one.status),
      [413, 415],
    );
  });

  it('a body nested too deep is refused, not stored', async () => {
    const { workflowId } = await otherAgency('deep', 9);
    const reply = await service.ingest(workflowId, undefined, {
      rawBody: `{"callerNumber":"+13125550121","businessNumber":"+13125550100","x":${'['.repeat(500)}${']'.repeat(500)}}`,
    });
    assert.deepEqual([reply.status, reply.body.code], [422, 'validation_failed']);
  });
});

describe('the limits', () => {
  it('of 60 a minute count per workflow, are logged, and leave other workflows alone', async () => {
    const { workflowId } = await otherAgency('busy', 1_000);
    const replies = await Promise.all(Array.from({ length: 62 }, () => service.ingest(workflowId, CALL)));
    const refused = replies.filter((reply) => reply.status === 429);
    assert.equal(refused.length, 2);
    assert.equal(refused[0]?.body.code, 'rate_limited');
    assert.ok(Number(refused[0]?.headers['retry-after']) > 0);
    assert.equal((await inbound(workflowId)).filter((one) => one.reason === 'rate_limited').length, 2);
    const other = await otherAgency('calm', 10);
    assert.equal((await service.ingest(other.workflowId, CALL)).status, 202);
  });

  it('show their count on every call of a valid token, what was refused or given back included', async () => {
    const { workflowId } = await otherAgency('shown', 1_000);
    const headers = { 'idempotency-key': 'shown' };
    const counts = async (body: unknown, status: number, more: object = {}) => {
      const reply = await service.ingest(workflowId, body, more);
      assert.equal(reply.status, status);
      assert.ok(Number(reply.headers['ratelimit-reset']) > 0);
      return [reply.headers['ratelimit-limit'], reply.headers['ratelimit-remaining']];
    };
    assert.deepEqual(await counts(CALL, 202, { headers }), ['60', '59']);
    assert.deepEqual(await counts({}, 422), ['60', '58']);
    assert.deepEqual(await counts(CALL, 202, { headers }), ['60', '58'], 'a repeat');
    assert.deepEqual(await counts([{}, {}], 422), ['60', '56'], 'a list');
    await service.query('update workflow set is_active = false where id = $1', [workflowId]);
    assert.deepEqual(await counts(CALL, 409), ['60', '56']);
    assert.deepEqual(await counts([CALL, CALL], 409), ['60', '56']);
    const wrong = await service.ingest(workflowId, CALL, { token: 'wrong' });
    assert.deepEqual([wrong.status, wrong.headers['ratelimit-limit']], [401, undefined]);
  });

  it('are not used up by a switched-off agent: the count is returned', async () => {
    const { workflowId } = await otherAgency('given-back', 1_000);
    await service.query('update workflow set is_active = false where id = $1', [workflowId]);
    for (let n = 0; n < 65; n += 1) assert.equal((await service.ingest(workflowId, CALL)).body.code, 'workflow_inactive');
    await service.query('update workflow set is_active = true where id = $1', [workflowId]);
    assert.equal((await service.ingest(workflowId, CALL)).status, 202);
  });

  it('count invalid tokens against the address: after 100 those must wait, and a call with a valid one never does', async () => {
    const own = await startExecutionService();
    const workflowId = await own.addAgent();
    for (let n = 0; n < 100; n += 1) assert.equal((await own.ingest(workflowId, CALL, { token: 'wrong' })).status, 401);
    const blocked = await own.ingest(workflowId, CALL, { token: 'wrong' });
    assert.deepEqual([blocked.status, blocked.body.code], [429, 'rate_limited']);
    assert.equal((await own.limits.peek('ingest', workflowId)).remaining, 60);
    assert.equal((await own.ingest(workflowId, CALL)).status, 202, 'a valid token counts alone');
    assert.equal((await own.ingest(workflowId, CALL, { token: 'wrong' })).status, 429, 'the others still wait');
    await own.close();
  });
});

describe('an Idempotency-Key', () => {
  it('returns the same response and starts one execution', async () => {
    const { workflowId } = await otherAgency('again', 10);
    const headers = { 'idempotency-key': 'call-1' };
    const first = await service.ingest(workflowId, CALL, { headers });
    const second = await service.ingest(workflowId, CALL, { headers });
    assert.deepEqual(second.body, first.body);
    assert.equal((await runsOf(workflowId)).length, 1);
    assert.notEqual(
      (await service.ingest(workflowId, CALL, { headers: { 'idempotency-key': 'call-2' } })).body.executionId,
      first.body.executionId,
    );
  });

  it('with another body is refused before anything of the account is judged, logged, and starts nothing', async () => {
    const { workflowId } = await otherAgency('reused', 50);
    const headers = { 'idempotency-key': 'reused' };
    const first = await service.ingest(workflowId, CALL, { headers });
    const other = await service.ingest(workflowId, { ...CALL, callerNumber: '+13125550199' }, { headers });
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
    assert.match(other.body.detail, /used within 24 hours with another body/);
    assert.equal((await service.ingest(workflowId, { ...CALL, callerNumber: '+13125550199' }, { headers, token: 'wrong' })).status, 401);
    assert.equal((await service.ingest(workflowId, {}, { headers })).body.code, 'idempotency_key_reused', 'one that lacks everything');
    assert.deepEqual((await service.ingest(workflowId, CALL, { headers })).body, first.body, 'the first body still has its answer');
    assert.equal((await runsOf(workflowId)).length, 1);
    const logged = (await inbound(workflowId)).filter((one) => one.outcome === 'refused').map((one) => `${one.reason} ${one.status}`);
    assert.deepEqual(logged, ['idempotency_key_reused 422', 'idempotency_key_reused 422']);
    // Among concurrent calls one body wins, and each of the others gets an answer.
    let replies: Awaited<ReturnType<typeof service.ingest>>[] = [];
    const measured = await measuredDuring('portal_events_total', async () => {
      replies = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          service.ingest(workflowId, { ...CALL, callerNumber: `+1312555010${n % 2}` }, { headers: { 'idempotency-key': 'raced' } }),
        ),
      );
    });
    assert.deepEqual(
      measured.toSorted(),
      [['accepted'], Array(5).fill('replayed'), Array(6).fill('idempotency_key_reused')]
        .flat()
        .map((one) => `ingest ${one}`)
        .toSorted(),
      'each is counted once, however often it was tried',
    );
    const won = replies.filter(({ status }) => status === 202);
    assert.deepEqual([won.length, new Set(won.map(({ body }) => body.executionId)).size], [6, 1]);
    assert.deepEqual(
      new Set(replies.filter(({ status }) => status !== 202).map(({ body }) => body.code)),
      new Set(['idempotency_key_reused']),
    );
    // A key of an earlier version has no fingerprint, and its answer holds for any body.
    await service.query('update idempotency_key set body_hash = null where scope = $1', [workflowId]);
    assert.deepEqual((await service.ingest(workflowId, { ...CALL, callerNumber: '+13125550199' }, { headers })).body, first.body);
  });

  it('holds for twenty concurrent calls', async () => {
    const { workflowId } = await otherAgency('at-once', 1);
    const headers = { 'idempotency-key': 'same' };
    const replies = await Promise.all(Array.from({ length: 20 }, () => service.ingest(workflowId, CALL, { headers })));
    assert.equal(new Set(replies.map((reply) => reply.body.executionId)).size, 1);
    assert.ok(replies.every((reply) => reply.status === 202));
    assert.equal((await runsOf(workflowId)).length, 1);
    const [quota] = await service.query<{ in_flight: number }>(
      'select in_flight from partner_quota q join workflow w on w.partner_id = q.partner_id where w.id = $1',
      [workflowId],
    );
    assert.equal(quota?.in_flight, 1);
  });

  it('returns the first response whatever changed since; what has no answer yet is refused', async () => {
    const changes: [slug: string, code: string, change: (ids: { id: string; workflowId: string }) => Promise<unknown>][] = [
      [
        'then-off',
        'workflow_inactive',
        ({ workflowId }) => service.query('update workflow set is_active = false where id = $1', [workflowId]),
      ],
      [
        'then-spent',
        'quota_exceeded',
        ({ id }) => service.query('update partner_quota set monthly_credits = 0 where partner_id = $1', [id]),
      ],
      ['then-suspended', 'account_suspended', ({ id }) => service.query("update partner set status = 'suspended' where id = $1", [id])],
      [
        'then-client-off',
        'account_suspended',
        async ({ id, workflowId }) => {
          await service.query("insert into client (id, partner_id, name, status) values ($1, $2, 'Client', 'suspended')", [newId(), id]);
          await service.query('update workflow set client_id = (select c.id from client c where c.partner_id = $1) where id = $2', [
            id,
            workflowId,
          ]);
        },
      ],
      [
        'then-busy',
        'rate_limited',
        async ({ workflowId }) => {
          for (let n = 0; n < 61; n += 1) await service.limits.count('ingest', workflowId);
        },
      ],
    ];
    for (const [slug, code, change] of changes) {
      const ids = await otherAgency(slug, 10);
      const headers = { 'idempotency-key': 'first' };
      const first = await service.ingest(ids.workflowId, CALL, { headers });
      assert.equal(first.status, 202);
      await change(ids);
      const again = await service.ingest(ids.workflowId, CALL, { headers });
      assert.deepEqual([again.status, again.body], [202, first.body], slug);
      assert.equal((await service.ingest(ids.workflowId, CALL, { headers: { 'idempotency-key': 'second' } })).body.code, code, slug);
      assert.equal((await service.ingest(ids.workflowId, CALL, { headers, token: 'wrong' })).status, 401, slug);
      assert.equal((await runsOf(ids.workflowId)).length, 1, slug);
    }
  });

  it('that is repeated does not use up the 60 a minute', async () => {
    const { workflowId } = await otherAgency('not-counted', 10);
    const headers = { 'idempotency-key': 'once' };
    for (let n = 0; n < 3; n += 1) assert.equal((await service.ingest(workflowId, CALL, { headers })).status, 202);
    assert.equal((await service.limits.peek('ingest', workflowId)).remaining, 59);
  });

  it('of a trigger returns the first response when the agent was switched off since, and nothing to another tenant', async () => {
    const workflowId = await service.addAgent({ templateName: 'lead-intake-cleaner', clientId: service.world.otherClientId });
    const trigger = (as: 'owner' | 'rivalOwner', key: string) =>
      service.call('POST', `/workflows/${workflowId}/trigger`, {
        as,
        body: { input: { name: 'Ada' } },
        headers: { 'idempotency-key': key },
      });
    const first = await trigger('owner', 'one');
    assert.equal(first.status, 202);
    await service.query('update workflow set is_active = false where id = $1', [workflowId]);
    const again = await trigger('owner', 'one');
    assert.deepEqual([again.status, again.body], [202, first.body]);
    assert.equal((await trigger('owner', 'two')).body.code, 'workflow_inactive');
    const other = await service.call('POST', `/workflows/${workflowId}/trigger`, {
      as: 'owner',
      body: { input: { name: 'Grace' } },
      headers: { 'idempotency-key': 'one' },
    });
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
    const foreign = await trigger('rivalOwner', 'one');
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'not_found']);
  });

  it('of a run by hand starts a test only where the call says so; other roles are refused as for any run', async () => {
    const workflowId = await service.addAgent({ templateName: 'lead-qualifier', clientId: service.world.otherClientId });
    const start = (as: 'owner' | 'rivalOwner', isTest?: boolean) =>
      service.call('POST', `/workflows/${workflowId}/trigger`, {
        as,
        body: { input: { leadName: 'Ada', message: 'Hello' }, ...(isTest === undefined ? {} : { isTest }) },
      });
    const started = [await start('owner'), await start('owner', false), await start('owner', true)];
    const rows = await service.query<{ source: string }>('select source from execution where id = any($1) order by id', [
      started.map(({ body }) => body.executionId),
    ]);
    assert.deepEqual(
      rows.map(({ source }) => source),
      ['trigger', 'trigger', 'test'],
    );
    assert.deepEqual((await start('rivalOwner', true)).body.code, 'not_found');
    await service.query('update workflow set is_active = false where id = $1', [workflowId]);
    assert.deepEqual((await start('owner', true)).body.code, 'workflow_inactive');
  });

  it('is free again after 24 hours, also before it was deleted: the next call with it starts one execution, the others get that', async () => {
    const { workflowId } = await otherAgency('next-day', 50);
    const headers = { 'idempotency-key': 'daily' };
    const send = () => service.ingest(workflowId, CALL, { headers });
    const age = (hours: number) =>
      service.query('update idempotency_key set created_at = now() - make_interval(hours => $2) where scope = $1', [workflowId, hours]);
    const first = await send();
    await age(23);
    assert.deepEqual((await send()).body, first.body);
    await age(25);
    const replies = await Promise.all(Array.from({ length: 20 }, send));
    assert.deepEqual(new Set(replies.map((reply) => reply.status)), new Set([202]));
    const ids = new Set(replies.map((reply) => reply.body.executionId));
    assert.equal(ids.size, 1);
    assert.ok(!ids.has(first.body.executionId));
    assert.equal((await runsOf(workflowId)).length, 2);
    assert.ok(ids.has((await send()).body.executionId));
  });

  it('that an event takes over while expired ones are being deleted stays', async () => {
    const { id, workflowId } = await otherAgency('taken-over', 10);
    const key = Buffer.from('taken over');
    await service.query(
      "insert into idempotency_key (partner_id, scope, key_hash, execution_id, created_at) values ($1, $2, $3, $4, now() - interval '25 hours')",
      [id, workflowId, key, newId()],
    );
    const admin = { ...service.database.host.adminConfig, database: service.database.name };
    await withClient(admin, async (client) => {
      await client.query('begin');
      await client.query('update idempotency_key set created_at = now() where scope = $1', [workflowId]);
      const swept = sweepIdempotencyKeys(service.db, 1_000);
      const waiting =
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%sweep_idempotency_keys%'";
      while ((await service.query(waiting)).length === 0);
      await client.query('commit');
      await swept;
    });
    assert.equal((await service.query('select 1 from idempotency_key where scope = $1', [workflowId])).length, 1);
  });

  it('that is too long is refused with the body, after the token and the checks of the account, and logged', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(256) };
    const { workflowId } = await otherAgency('long-key', 10);
    assert.equal((await service.ingest(workflowId, CALL, { headers, token: 'wrong' })).status, 401);
    const refused = await service.ingest(workflowId, CALL, { headers });
    assert.deepEqual([refused.status, refused.body.code], [422, 'validation_failed']);
    assert.deepEqual(
      refused.body.errors.map((one: { field: string; code: string }) => [one.field, one.code]),
      [['Idempotency-Key', 'too_long']],
    );
    const [logged, ...more] = await inbound(workflowId);
    assert.deepEqual([logged?.outcome, logged?.reason, logged?.status, more.length], ['refused', 'validation_failed', 422, 0]);
    assert.match(logged?.body_preview ?? '', /callerNumber/);
    assert.ok(!logged?.body_preview?.includes('5550121'));
    const spent = await otherAgency('long-key-spent', 0);
    assert.equal((await service.ingest(spent.workflowId, CALL, { headers })).body.code, 'quota_exceeded');
    assert.deepEqual(
      (await inbound(spent.workflowId)).map((one) => one.reason),
      ['quota_exceeded'],
    );
    assert.equal((await service.ingest(workflowId, CALL, { headers: { 'idempotency-key': 'k'.repeat(255) } })).status, 202);
  });

  it('belongs to its workflow', async () => {
    const [one, two] = [await otherAgency('key-a', 10), await otherAgency('key-b', 10)];
    const headers = { 'idempotency-key': 'shared' };
    const first = await service.ingest(one.workflowId, CALL, { headers });
    const second = await service.ingest(two.workflowId, CALL, { headers });
    assert.notEqual(first.body.executionId, second.body.executionId);
  });
});

describe('the quota', () => {
  it('is never exceeded by concurrent events', async () => {
    const { workflowId, id } = await otherAgency('crowd', 7);
    const replies = await Promise.all(Array.from({ length: 40 }, () => service.ingest(workflowId, CALL)));
    assert.equal(replies.filter((reply) => reply.status === 202).length, 7);
    assert.equal(replies.filter((reply) => reply.body.code === 'quota_exceeded').length, 33);
    assert.equal((await runsOf(workflowId)).length, 7);
    const [quota] = await service.query<{ in_flight: number; used: number }>(
      'select in_flight, used from partner_quota where partner_id = $1',
      [id],
    );
    assert.deepEqual(quota, { in_flight: 7, used: 0 });
    const refused = replies.find((reply) => reply.status === 402);
    assert.deepEqual([refused?.body.limit, refused?.body.used], [7, 7]);
  });

  it('starts again in a new period', async () => {
    const { workflowId, id } = await otherAgency('period', 3);
    await service.query(
      `update partner_quota set used = 3, period_start = now() - interval '40 days', period_end = now() - interval '10 days' where partner_id = $1`,
      [id],
    );
    assert.equal((await service.ingest(workflowId, CALL)).status, 202);
  });
});

async function otherAgency(slug: string, credits: number): Promise<{ id: string; workflowId: string }> {
  return service.db.asSystem('seed', async (tx) => {
    const id = await addPartner(tx, { name: slug, slug, planId: service.world.planId, credits });
    return { id, workflowId: await addWorkflow(tx, { partnerId: id, clientId: null, templateName: 'missed-call-text-back' }) };
  });
}
