import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { createEngineClient } from '#adapters/engine-client.ts';
import { createEngineSend } from '#adapters/engine/engine-send.ts';
import type { InternalCall, InternalFetch } from '#platform/outbound/internal-fetch.ts';
import { createInternalFetch } from '#platform/outbound/internal-fetch.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import { Secret } from '#platform/secret.ts';
import { createEngineLook } from './look-at-engine.ts';
import { createEngineRefresh } from './refresh-engine.ts';

/** Staff have the service drop its session with the engine and sign in again. */

let service: ProvisioningService;
let signIns: number;

before(async () => {
  service = await startProvisioningService();
});
after(() => service.close());
beforeEach(() => {
  signIns = 0;
  service.wire.around = counted;
});

const PATH = '/provisioning/engine/refresh';
const isSignIn = (call: InternalCall): boolean => call.url.endsWith('/authentication/sign-in');
const counted: NonNullable<ProvisioningService['wire']['around']> = (call, send) => {
  if (isSignIn(call)) signIns += 1;
  return send(call);
};
const refresh = () => service.call('POST', PATH, { as: 'staff' });
const answered = (status: number, body: object): ReturnType<InternalFetch['send']> =>
  Promise.resolve({ status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) });

describe('a refresh of the session with the engine', () => {
  it('signs in once, also for two calls at a time, and answers with the engine and its new session', async () => {
    await service.client.listProjects();
    const former = service.client.session();
    const both = await Promise.all([refresh(), refresh()]);
    assert.deepEqual([both.map(({ status }) => status), signIns], [[200, 200], 1]);
    const { body } = await service.call('GET', '/provisioning/engine', { as: 'staff' });
    for (const reply of both) assert.deepEqual([reply.body.health, reply.body.session], ['ok', body.session]);
    assert.ok(Date.parse(body.session.signedInAt) >= Number(former.signedInAt) && Date.parse(body.session.expiresAt) > Date.now());
    assert.equal((await refresh()).status, 200);
    assert.equal(signIns, 2, 'a later call signs in again');
  });

  const wrong: [string, NonNullable<ProvisioningService['wire']['around']>, RegExp][] = [
    [
      'a wrong password',
      (call, send) =>
        send(
          isSignIn(call)
            ? { ...call, body: JSON.stringify({ email: 'engine-admin@example.com', password: 'another good password' }) }
            : call,
        ),
      /does not accept the admin's e-mail and password.*AUTOMATION_ENGINE_ADMIN_PASSWORD/,
    ],
    [
      'an account without permission',
      (call, send) => (call.url.includes('/projects') ? answered(403, { code: 'AUTHORIZATION' }) : send(call)),
      /must be an admin of the engine’s platform/,
    ],
    [
      'an engine that is not reachable',
      () => Promise.reject(new OutboundError('connection_refused', false)),
      /Start the engine, or correct AUTOMATION_ENGINE_BASE_URL/,
    ],
  ];
  for (const [what, around, words] of wrong) {
    it(`says in words that it met ${what}, and keeps no session`, async () => {
      await service.client.listProjects();
      service.wire.around = around;
      const { status, body } = await refresh();
      assert.deepEqual([status, body.code], [503, 'engine_unavailable']);
      assert.match(body.detail, words);
      assert.deepEqual(service.client.session(), { signedInAt: null, expiresAt: null });
      service.wire.around = counted;
      signIns = 0;
      await service.client.listProjects();
      assert.equal(signIns, 1, 'the next call signs in');
    });
  }

  it('calls no engine that is switched off', async () => {
    service.settings.engineEnabled = false;
    const { status, body } = await refresh();
    service.settings.engineEnabled = true;
    assert.deepEqual([status, signIns], [503, 0]);
    assert.match(body.detail, /AUTOMATION_ENGINE_ENABLED/);
  });

  it('is recorded with who asked for it', async () => {
    await refresh();
    const entry = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('auditEntry')
        .selectAll()
        .where('action', '=', 'engine.session_refreshed')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    );
    assert.deepEqual([entry?.actorId, entry?.actorType, entry?.result], [service.world.people.staff.userId, 'staff', 'ok']);
  });

  it('is for staff, and not in a view of an account', async () => {
    const refused = { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' } as const;
    await service.assertRefused('POST', PATH, refused);
    const view = { partnerId: service.world.partnerId, reason: 'a test' };
    const looking = await service.call('POST', '/auth/view-as', { as: 'staff', body: view });
    const inView = await service.call('POST', PATH, { headers: { authorization: `Bearer ${looking.body.accessToken}` } });
    assert.equal(inView.status, 403);
    assert.equal(signIns, 0);
  });

  it('has every other process drop its session too', async () => {
    const direct = createInternalFetch(() => true);
    const elsewhere = createEngineClient({
      baseUrl: service.settings.engineBaseUrl,
      account: { email: 'engine-admin@example.com', password: new Secret('correct horse battery') },
      send: createEngineSend(direct),
      clock: service.clock,
    });
    const { db, clock, log, notices, settings } = service;
    const deps = { db, clock, log, notices, settings, engine: elsewhere };
    const other = createEngineRefresh(deps, createEngineLook(deps));
    try {
      await elsewhere.listProjects();
      assert.notEqual(elsewhere.session().signedInAt, null);
      // A notice from before this one listens is lost.
      await until('the other process has no session', async () => {
        await refresh();
        return elsewhere.session().signedInAt === null;
      });
      assert.notEqual(service.client.session().signedInAt, null, 'the one that was asked keeps its new session');
    } finally {
      other.stop();
      await direct.close();
    }
  });
});
