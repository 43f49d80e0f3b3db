import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { until } from '@partner-portal/tests/harness/system.ts';
import { startVaultService, type VaultService } from '@partner-portal/tests/harness/vault.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import type { SystemTx } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import { defineJob, handleJob } from '#platform/jobs/define-job.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { createRunner } from '#platform/jobs/runner.ts';
import { Secret } from '#platform/secret.ts';
import { lockSlot } from '../store.ts';
import { syncQueueOf } from '../sync-job.ts';
import { claimConnection, markConnectionsDue } from '../store-connections.ts';

let service: VaultService;
const PROJECT = 'project-1';
/** A write of someone else. */
const OTHER = { projectId: PROJECT, externalId: 'of_agency', displayName: 'Other', props: { apiKey: 'other' } };
const system = { type: 'system', id: null } as const;

before(async () => {
  service = await startVaultService({ platformKeys: { anthropic: new Secret('sk-ant-sandbox-platform') } });
});
after(() => service.close());
beforeEach(async () => {
  service.engine.values.clear();
  service.engine.ids.clear();
  service.engine.writes.length = 0;
  service.engine.away = false;
  await service.db.asSystem('seed', async (tx) => {
    await tx.deleteFrom('engineConnection').execute();
    await tx.deleteFrom('credential').execute();
  });
});

function save(apiKey: string, clientId?: string) {
  return service.call('PUT', '/credentials/resend', { as: 'owner', body: { sourceMode: 'byok', data: { apiKey }, clientId } });
}

function bind(clientId: string | null, present?: { id: string; updated?: string | undefined }) {
  const slot = { partnerId: service.world.partnerId, clientId, provider: 'resend' } as const;
  const target = { slot, projectId: PROJECT, externalId: clientId ? 'of_client' : 'of_agency' };
  return service.vault.bindConnection(target, system, undefined, present);
}

const held = (externalId: string) => service.engine.values.get(externalId)?.['apiKey'];
const liveOf = async (query = '') =>
  (await service.call('GET', `/credentials${query}`, { as: 'owner' })).body.map((row: { live: string }) => row.live);
const connections = () =>
  service.db.asSystem('credentials', (tx) =>
    tx.selectFrom('engineConnection').select(['status', 'dueAt', 'claimedUntil', 'attempts', 'credentialId']).execute(),
  );

describe('binding a connection', () => {
  it('writes the opened value with the address of the provider and records the connection', async () => {
    const saved = await save('re_sandbox_1');
    const bound = await bind(null);
    assert.deepEqual(bound, {
      credentialId: saved.body.id,
      sourceMode: 'byok',
      level: 'agency',
      engineConnectionId: 'connection-of-of_agency',
      isUnchanged: false,
    });
    assert.deepEqual(service.engine.values.get('of_agency'), {
      apiKey: 're_sandbox_1',
      baseUrl: `http://127.0.0.1:${service.sandbox.port}/resend`,
    });
    assert.deepEqual(await liveOf(), ['live']);
    const uses = await service.db.asSystem('credentials', (tx) =>
      tx.selectFrom('credentialUse').select('purpose').where('credentialId', '=', saved.body.id).execute(),
    );
    assert.deepEqual(uses, [{ purpose: 'bind_connection' }]);
  });

  it('is undefined for a missing credential and writes nothing', async () => {
    assert.equal(await bind(null), undefined);
    assert.deepEqual(await connections(), []);
  });

  it('repeated, reuses the one connection', async () => {
    await save('re_sandbox_1');
    await bind(null);
    await bind(null);
    assert.equal((await connections()).length, 1);
  });

  it('again writes nothing while the engine has the value as it was written', async () => {
    await save('re_sandbox_1');
    const first = await bind(null);
    const held = service.engine.listed('of_agency');
    const again = await bind(null, held);
    assert.deepEqual([again, service.engine.writes.length], [{ ...first, isUnchanged: true }, 1]);
    assert.deepEqual(await liveOf(), ['live']);
  });

  for (const [what, change] of [
    ['was changed there by someone else', async () => void (await service.engine.upsertConnection(OTHER))],
    ['has an older key', async () => void (await save('re_sandbox_2'))],
    ['is another one there', async () => void service.engine.ids.set('of_agency', 'connection-of-another')],
    [
      'got its key from a row that is gone',
      async () =>
        void (await service.db.asSystem('seed', (tx) => tx.updateTable('engineConnection').set({ credentialId: null }).execute())),
    ],
  ] as const)
    it(`again writes the value when the connection ${what}`, async () => {
      await save('re_sandbox_1');
      await bind(null);
      await change();
      const before = service.engine.writes.length;
      assert.equal((await bind(null, service.engine.listed('of_agency')))?.isUnchanged, false);
      assert.equal(service.engine.writes.length, before + 1);
      assert.match(held('of_agency') ?? '', /^re_sandbox_/);
      assert.deepEqual(await liveOf(), ['live']);
    });

  it('that the engine refuses stays pending and is retried by the sweep', async () => {
    await save('re_sandbox_1');
    service.engine.away = true;
    await assert.rejects(bind(null), /away/);
    assert.deepEqual(await liveOf(), ['pending']);
    service.engine.away = false;
    await service.db.asSystem('credentials', (tx) =>
      tx
        .updateTable('engineConnection')
        .set({ claimedUntil: new Date(0) })
        .execute(),
    );
    await service.runner.runCron('credentials.sweep');
    await service.runner.drain();
    assert.equal(held('of_agency'), 're_sandbox_1');
    assert.deepEqual(await liveOf(), ['live']);
  });

  it('carries a reference and no password for a SQL database', async () => {
    const sql = { host: '93.184.216.34', port: 5432, database: 'd', user: 'u', password: 'p', ssl: true };
    const saved = await service.call('PUT', '/credentials/postgres', { as: 'owner', body: { sourceMode: 'byok', data: sql } });
    const slot = { partnerId: service.world.partnerId, clientId: null, provider: 'postgres' } as const;
    await service.vault.bindConnection({ slot, projectId: PROJECT, externalId: 'of_sql' }, system);
    assert.deepEqual(service.engine.values.get('of_sql'), { reference: saved.body.id });
  });

  it('carries the key of the platform in platform mode', async () => {
    await service.call('PUT', '/credentials/anthropic', { as: 'owner', body: { sourceMode: 'platform' } });
    const slot = { partnerId: service.world.partnerId, clientId: null, provider: 'anthropic' } as const;
    const bound = await service.vault.bindConnection({ slot, projectId: PROJECT, externalId: 'of_ai' }, system);
    assert.equal(bound?.sourceMode, 'platform');
    assert.equal(service.engine.values.get('of_ai')?.['apiKey'], 'sk-ant-sandbox-platform');
  });
});

describe('a key of the platform', () => {
  const slotOf = (clientId: string | null) => ({ partnerId: service.world.partnerId, clientId, provider: 'anthropic' }) as const;
  const useAi = async () => {
    await service.call('PUT', '/credentials/anthropic', { as: 'owner', body: { sourceMode: 'platform' } });
    await service.vault.bindConnection({ slot: slotOf(null), projectId: PROJECT, externalId: 'of_ai' }, system);
    await service.vault.bindConnection({ slot: slotOf(service.world.clientId), projectId: PROJECT, externalId: 'of_ai_client' }, system);
  };
  const heldKeys = () => [held('of_ai'), held('of_ai_client')];
  /** The sweep of a process that was started with this key. */
  const sweepWith = async (key: Secret | null, beforeWrites?: () => Promise<void>) => {
    const before = service.platformKeys.anthropic;
    service.platformKeys.anthropic = key;
    try {
      await service.runner.runCron('credentials.sweep');
      await beforeWrites?.();
      await service.runner.drain();
    } finally {
      service.platformKeys.anthropic = before;
    }
  };

  it('that was rotated reaches the connections of all that use it, and one that is gone is taken out of them', async () => {
    await useAi();
    await sweepWith(new Secret('sk-ant-sandbox-rotated'));
    assert.deepEqual(heldKeys(), ['sk-ant-sandbox-rotated', 'sk-ant-sandbox-rotated']);
    await sweepWith(null);
    assert.deepEqual(heldKeys(), ['removed', 'removed']);
    await sweepWith(new Secret('sk-ant-sandbox-third'));
    assert.deepEqual(heldKeys(), ['sk-ant-sandbox-third', 'sk-ant-sandbox-third']);
    assert.deepEqual(await liveOf(), ['live']);
  });

  it('may be revoked at its provider once the statement of docs/deploy.md counts none', async () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'deploy.md'), 'utf8');
    const [, statement = ''] = /--command="(select count\(\*\) from engine_connection [^"]+)"/.exec(page) ?? [];
    const count = async () =>
      Number((await service.db.asSystem('credentials', (tx) => sql.raw<{ count: string }>(statement).execute(tx))).rows[0]?.count);
    await useAi();
    await sweepWith(new Secret('sk-ant-sandbox-rotated'), async () => assert.equal(await count(), 2));
    assert.equal(await count(), 0);
  });

  it('that is the same is not written again, and own keys stay', async () => {
    await useAi();
    const own = { sourceMode: 'byok', data: { apiKey: 'sk-ant-sandbox-own' }, clientId: service.world.clientId };
    await service.call('PUT', '/credentials/anthropic', { as: 'owner', body: own });
    await service.runner.drain();
    const writes = service.engine.writes.length;
    await sweepWith(service.platformKeys.anthropic);
    assert.deepEqual([heldKeys(), service.engine.writes.length], [['sk-ant-sandbox-platform', 'sk-ant-sandbox-own'], writes]);
    await sweepWith(new Secret('sk-ant-sandbox-rotated'));
    assert.deepEqual(heldKeys(), ['sk-ant-sandbox-rotated', 'sk-ant-sandbox-own']);
  });
});

describe('a rotation', () => {
  it('reaches the bound connections without a further step', async () => {
    await save('re_sandbox_1');
    await bind(null);
    const rotated = await save('re_sandbox_2');
    assert.equal(rotated.body.live, 'pending');
    await service.runner.drain();
    assert.equal(held('of_agency'), 're_sandbox_2');
    assert.deepEqual(await liveOf(), ['live']);
  });

  it('stays pending while the engine is down, backs off, and becomes live when the engine is back', async () => {
    await save('re_sandbox_1');
    await bind(null);
    service.engine.away = true;
    const savedAt = Date.now();
    await save('re_sandbox_2');
    await service.runner.drain();
    const [waiting] = await connections();
    assert.deepEqual([waiting?.status, waiting?.claimedUntil], ['pending', null]);
    // Once, unless a slow machine made it due again.
    const attempts = waiting?.attempts ?? 0;
    assert.ok(attempts >= 1);
    assert.ok(waiting?.dueAt && waiting.dueAt.getTime() - savedAt >= 5_000 * 2 ** (attempts - 1));
    assert.equal(held('of_agency'), 're_sandbox_1');
    service.engine.away = false;
    await service.db.asSystem('credentials', (tx) =>
      tx
        .updateTable('engineConnection')
        .set({ dueAt: new Date(Date.now() - 1_000) })
        .execute(),
    );
    await service.runner.drain({ untilAt: new Date(Date.now() + 3_600_000) });
    assert.equal(held('of_agency'), 're_sandbox_2');
    assert.deepEqual(await liveOf(), ['live']);
  });

  it('wins when it happens while an older value is being written to the engine', async () => {
    await save('re_sandbox_1');
    await bind(null);
    await save('re_sandbox_2');
    service.engine.meanwhile = () => save('re_sandbox_3');
    await service.runner.drain();
    assert.equal(held('of_agency'), 're_sandbox_3');
    assert.deepEqual(await liveOf(), ['live']);
  });

  it('of the default reaches clients that inherit it and not those with an own key', async () => {
    const { clientId, otherClientId } = service.world;
    await save('re_sandbox_default');
    await save('re_sandbox_own', otherClientId);
    await bind(clientId);
    const slot = { partnerId: service.world.partnerId, clientId: otherClientId, provider: 'resend' } as const;
    await service.vault.bindConnection({ slot, projectId: PROJECT, externalId: 'of_other' }, system);
    service.engine.writes.length = 0;
    await save('re_sandbox_default_2');
    await service.runner.drain();
    assert.deepEqual(
      service.engine.writes.map((write) => write.externalId),
      ['of_client'],
    );
    assert.equal(held('of_client'), 're_sandbox_default_2');
  });

  it('of a client binds its connection to the new own key, and its removal to the default again', async () => {
    const { clientId } = service.world;
    await save('re_sandbox_default');
    assert.equal((await bind(clientId))?.level, 'agency');
    const own = await save('re_sandbox_own', clientId);
    await service.runner.drain();
    assert.equal(held('of_client'), 're_sandbox_own');
    assert.equal((await connections())[0]?.credentialId, own.body.id);
    await service.call('DELETE', `/credentials/resend?clientId=${clientId}`, { as: 'owner' });
    await service.runner.drain();
    assert.equal(held('of_client'), 're_sandbox_default');
    assert.deepEqual(await liveOf(`?clientId=${clientId}`), ['live']);
  });

  it('overwrites the engine’s copy when the last key is deleted', async () => {
    await save('re_sandbox_1');
    await bind(null);
    await service.call('DELETE', '/credentials/resend', { as: 'owner' });
    await service.runner.drain();
    assert.equal(held('of_agency'), 'removed');
    assert.deepEqual(await connections(), [{ status: 'live', dueAt: null, claimedUntil: null, attempts: 0, credentialId: null }]);
  });
});

describe('a writer that has claimed its connection and is about to open the key', () => {
  const changes: [string, () => Promise<unknown>][] = [
    ['a save', async () => assert.equal((await save('re_sandbox_2')).status, 200)],
    ['a removal', async () => assert.equal((await service.call('DELETE', '/credentials/resend', { as: 'owner' })).status, 204)],
    ['a binding', async () => assert.ok(await bind(null))],
  ];
  for (const [name, change] of changes) {
    it(`makes ${name} of that key wait, and neither is lost`, async () => {
      await save('re_sandbox_1');
      await bind(null);
      await save('re_sandbox_1b');
      await meet(change, {
        first: async (tx, id) => assert.ok(await claimConnection(tx, id, 0)),
        second: async (tx) => assert.ok(await service.vault.openForBinding(tx, slotOfAgency(), system)),
      });
    });
  }

  for (const [name, change] of changes.slice(0, 2)) {
    it(`is never waited for by ${name} that waits for another change of the same key`, async () => {
      await save('re_sandbox_1');
      await bind(null);
      await meet(change, {
        first: (tx) => lockSlot(tx, slotOfAgency()),
        second: async (tx) => assert.equal((await markConnectionsDue(tx, slotOfAgency())).length, 1),
      });
    });
  }
});

const slotOfAgency = () => ({ partnerId: service.world.partnerId, clientId: null, provider: 'resend' }) as const;

/** Takes one lock, waits until the change waits for it, and takes a second one, so that the opposite lock order would deadlock. */
async function meet(
  change: () => Promise<unknown>,
  locks: { first: (tx: SystemTx, connectionId: string) => Promise<void>; second: (tx: SystemTx) => Promise<void> },
): Promise<void> {
  const go = Promise.withResolvers<undefined>();
  const changed = go.promise.then(change);
  await service.db.asSystem('credentials', async (tx) => {
    const { id } = await tx.selectFrom('engineConnection').select('id').executeTakeFirstOrThrow();
    await locks.first(tx, id);
    go.resolve(undefined);
    await until('the change waits', async () => {
      const { rows } = await sql`select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(tx);
      return rows.length > 0;
    });
    await locks.second(tx);
  });
  await changed;
}

describe('resolving needs', () => {
  it('prefers the own row, falls back to the default, and lists what is missing in one statement', async () => {
    const { partnerId, clientId, otherClientId, rivalPartnerId } = service.world;
    await save('re_sandbox_default');
    await save('re_sandbox_own', clientId);
    await service.call('PUT', '/credentials/openai', { as: 'owner', body: { sourceMode: 'platform' } });
    const resolved = await service.db.asSystem('provisioning', (tx) =>
      service.vault.resolveCredentials(tx, [
        { partnerId, clientId, provider: 'resend' },
        { partnerId, clientId: otherClientId, provider: 'resend' },
        { partnerId: rivalPartnerId, clientId: null, provider: 'resend' },
        { partnerId, clientId: null, provider: 'openai' }, // the platform offers no key for it here
      ]),
    );
    assert.deepEqual(
      resolved.map(({ state, reason, row }) => [state, reason, row?.clientId]),
      [
        ['ok', null, clientId],
        ['inherited', null, null],
        ['missing', 'not_saved', undefined],
        ['missing', 'no_platform_key', null],
      ],
    );
    const needs = [
      { partnerId, clientId, provider: 'resend', step: 'Send mail' },
      { partnerId, clientId, provider: 'twilio', step: 'Send text' },
      { partnerId, clientId: null, provider: 'openai', step: 'Write' },
    ] as const;
    let missing: readonly { step: string }[] = [];
    const statements = await service.countStatements(async () => {
      missing = await service.db.asSystem('provisioning', (tx) => service.vault.listMissing(tx, needs));
    });
    assert.deepEqual(
      missing.map((need) => need.step),
      ['Send text', 'Write'],
    );
    assert.equal(statements, 4);
  });
});

describe('deleting the connections of a partner', () => {
  const unbind = (guard = async (): Promise<void> => undefined) =>
    service.vault.unbindConnections({ partnerId: service.world.partnerId, externalIdPrefix: 'of_', projectId: PROJECT }, guard);

  it('deletes its connections and unrecorded ones, no other partner’s, and no later save recreates one', async () => {
    await save('re_sandbox_1');
    await bind(null);
    service.engine.values.set('of_forgotten', {}).set('another_agency', {});
    assert.equal(await unbind(), 2);
    await save('re_sandbox_2');
    await service.runner.drain();
    assert.deepEqual([...service.engine.values.keys()], ['another_agency']);
    assert.deepEqual(await connections(), []);
    assert.equal(await unbind(), 0, 'repeating it is no error');
    assert.notEqual(await bind(null), undefined, 'it can be bound again');
    service.engine.values.delete('another_agency');
  });

  it('waits for a writer in progress, which would write the key back', async () => {
    await save('re_sandbox_1');
    await bind(null);
    const waited = Promise.withResolvers<void>();
    let removal: Promise<number> | undefined;
    service.engine.meanwhile = () => {
      removal = unbind(async () => waited.resolve());
      return waited.promise;
    };
    await save('re_sandbox_2');
    await service.runner.drain();
    assert.equal(await removal, 1);
    assert.deepEqual([[...service.engine.values.keys()], await connections()], [[], []]);
  });

  it('does nothing for an attempt that has ended', async () => {
    await save('re_sandbox_1');
    await bind(null);
    await assert.rejects(
      unbind(() => Promise.reject(new Error('ended'))),
      /ended/,
    );
    const slot = { partnerId: service.world.partnerId, clientId: null, provider: 'resend' } as const;
    const late = service.vault.bindConnection({ slot, projectId: PROJECT, externalId: 'of_late' }, system, () =>
      Promise.reject(new Error('ended')),
    );
    await assert.rejects(late, /ended/);
    assert.deepEqual([...service.engine.values.keys()], ['of_agency']);
  });
});

describe('a key that many connections carry', () => {
  const CONNECTIONS = 60;

  it('takes turns with other agencies: a key of one is written before most connections of another that saved first', async () => {
    const { partnerId, people } = service.world;
    const { rivalOwner } = people;
    const saveAs = (as: 'owner' | 'rivalOwner', apiKey: string) =>
      service.call('PUT', '/credentials/resend', { as, body: { sourceMode: 'byok', data: { apiKey } } });
    for (const [as, agencyId, ids] of [
      ['owner', partnerId, Array.from({ length: CONNECTIONS }, (_, n) => `many-${n}`)],
      ['rivalOwner', rivalOwner.partnerId, ['rival']],
    ] as const) {
      assert.equal((await saveAs(as, 're_sandbox_1')).status, 200);
      const slot = { partnerId: agencyId, clientId: null, provider: 'resend' } as const;
      for (const externalId of ids) await service.vault.bindConnection({ slot, projectId: PROJECT, externalId }, system);
    }
    service.engine.writes.length = 0;
    for (const as of ['owner', 'rivalOwner'] as const) assert.equal((await saveAs(as, 're_sandbox_2')).status, 200);
    await service.runner.drain({ concurrency: 1 });
    const order = service.engine.writes.map(({ externalId }) => externalId);
    assert.equal(order.length, CONNECTIONS + 1);
    assert.ok(order.indexOf('rival') <= 12, `after ${order.indexOf('rival')} writes`);
  });

  it('leaves half the places of the job runner to other jobs while the engine is slow, and all of them are written', async () => {
    const { partnerId } = service.world;
    await save('re_sandbox_1');
    for (let n = 0; n < CONNECTIONS; n++) {
      const clientId = newId();
      await service.database.query(`insert into client (id, partner_id, name) values ($1, $2, 'One of many')`, [clientId, partnerId]);
      const slot = { partnerId, clientId, provider: 'resend' } as const;
      await service.vault.bindConnection({ slot, projectId: PROJECT, externalId: `many-${n}` }, system, undefined, undefined);
    }
    const rows = await service.database.query<{ id: string }>('select id from engine_connection');
    const queues = new Set(rows.map(({ id }) => syncQueueOf(id))).size;
    const slow = Promise.withResolvers<undefined>();
    const upsertConnection = service.engine.upsertConnection.bind(service.engine);
    let [atOnce, atOnceMost] = [0, 0];
    service.engine.upsertConnection = async (write) => {
      atOnceMost = Math.max(atOnceMost, ++atOnce);
      await slow.promise;
      atOnce -= 1;
      return upsertConnection(write);
    };
    let others = 0;
    const otherJob = defineJob('test.other', z.object({}));
    const jobs = [...service.vault.jobs, handleJob(otherJob, async () => void (others += 1))];
    const runner = createRunner({ address: service.database.configFor('portal_queue'), jobs, crons: [], log: service.log });
    const written = () => [...service.engine.values.values()].filter(({ apiKey }) => apiKey === 're_sandbox_2').length;
    try {
      await runner.start();
      assert.equal((await save('re_sandbox_2')).status, 200);
      await until('the engine is busy', () => atOnce === queues);
      await service.db.asSystem('seed', (tx) => enqueue(tx, otherJob, {}));
      await until('another job ran', () => others === 1);
      assert.equal(written(), 0);
      slow.resolve(undefined);
      await until('all connections are written', () => written() === CONNECTIONS);
      assert.deepEqual([atOnceMost, queues <= 12], [queues, true]);
    } finally {
      slow.resolve(undefined);
      service.engine.upsertConnection = upsertConnection;
      await runner.stop(0);
    }
  });
});
