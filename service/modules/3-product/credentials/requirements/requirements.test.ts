import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startVaultService, type VaultService } from '@partner-portal/tests/harness/vault.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { Secret } from '#platform/secret.ts';
import { countNeeds, listNeeds, type Need } from './needs.ts';

/** The list of requirements ends at a number of agents, and the counts are about all of them, by the one rule of core/credential/resolution.ts. */

/** Needs Twilio; the second needs OpenAI, Resend and Twilio. */
const [ONE_KEY, THREE_KEYS] = ['missed-call-text-back', 'lead-qualifier'];
/** Needs no key. */
const KEYLESS = 'lead-intake-cleaner';
const PLATFORM = ['openai'];
const COUNTS = '/credentials/requirements/counts';

type Stored = { provider: string; clientId: string | null; sourceMode: 'byok' | 'platform'; lastCheckOk?: boolean };
type Requirement = { provider: string; clientId: string | null; state: string; agentCount: number; agents: { id: string }[] };

let service: VaultService;

before(async () => {
  service = await startVaultService({ platformKeys: { openai: new Secret('sk-sandbox-platform') } });
});
after(() => service.close());
beforeEach(async () => {
  const { partnerId, clientId, otherClientId, rivalPartnerId, rivalClientId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    await tx.deleteFrom('credential').execute();
    await tx.deleteFrom('workflow').execute();
    for (const templateName of [ONE_KEY, THREE_KEYS, KEYLESS])
      for (const owner of [clientId, null, otherClientId]) await addWorkflow(tx, { partnerId, clientId: owner, templateName });
    await addWorkflow(tx, { partnerId: rivalPartnerId, clientId: rivalClientId, templateName: ONE_KEY });
  });
});

async function store(rows: readonly Stored[]): Promise<void> {
  const { partnerId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    for (const { provider, clientId, sourceMode, lastCheckOk = null } of rows) {
      const sealed = sourceMode === 'byok' ? Buffer.from('x') : null;
      await sql`insert into credential (partner_id, client_id, provider, source_mode, sealed, last_check_ok, last_check_at)
        values (${partnerId}, ${clientId}, ${provider}, ${sourceMode}, ${sealed}, ${lastCheckOk}, ${lastCheckOk === null ? null : new Date()})`.execute(
        tx,
      );
    }
  });
}

/** The ids of the agents that `core` says lack a key, then of the others, the newest first; in the scope of a client its own before the agency's. */
function orderOf(needs: readonly Need[], clientId: string | null): string[] {
  const isShared = new Set(needs.filter(({ agent }) => clientId !== null && agent.clientId === null).map(({ agent }) => agent.id));
  const lacking = new Set(needs.filter(({ state }) => state === 'missing' || state === 'failing').map(({ agent }) => agent.id));
  return [...new Set(needs.map(({ agent }) => agent.id))].toSorted(
    (a, b) => Number(isShared.has(a)) - Number(isShared.has(b)) || Number(lacking.has(b)) - Number(lacking.has(a)) || (a < b ? 1 : -1),
  );
}

/** The counts as they follow from a list of all requirements. */
function countsOf(requirements: readonly Requirement[]): object {
  const providers = [...new Set(requirements.map(({ provider }) => provider))].map((provider) => {
    const own = requirements.filter((one) => one.provider === provider);
    const inState = (state: string): number => own.filter((one) => one.state === state).length;
    const agents = own.reduce((sum, one) => sum + one.agentCount, 0);
    return { provider, agents, missing: inState('missing'), failing: inState('failing') };
  });
  return { agents: new Set(requirements.flatMap(({ agents }) => agents.map(({ id }) => id))).size, providers: byProvider(providers) };
}

function byProvider<T extends { provider: string }>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => a.provider.localeCompare(b.provider));
}

const own = (): string => service.world.clientId;
const STORED: { name: string; rows: () => Stored[] }[] = [
  { name: 'nothing is saved', rows: () => [] },
  { name: 'the partner has a default', rows: () => [{ provider: 'twilio', clientId: null, sourceMode: 'byok' }] },
  {
    name: 'one client has all keys of its own',
    rows: () => ['openai', 'resend', 'twilio'].map((provider) => ({ provider, clientId: own(), sourceMode: 'byok' })),
  },
  {
    name: 'a default failed its check and one client has its own',
    rows: () => [
      { provider: 'twilio', clientId: null, sourceMode: 'byok', lastCheckOk: false },
      { provider: 'twilio', clientId: own(), sourceMode: 'byok', lastCheckOk: true },
      { provider: 'openai', clientId: null, sourceMode: 'platform' },
      { provider: 'resend', clientId: null, sourceMode: 'byok' },
    ],
  },
  {
    name: 'the key of one client failed its check beside a good default',
    rows: () => [
      { provider: 'twilio', clientId: null, sourceMode: 'byok', lastCheckOk: true },
      { provider: 'twilio', clientId: own(), sourceMode: 'byok', lastCheckOk: false },
    ],
  },
  {
    name: 'the platform’s key is chosen and there is one',
    rows: () => [
      { provider: 'openai', clientId: null, sourceMode: 'platform' },
      { provider: 'resend', clientId: null, sourceMode: 'byok' },
      { provider: 'twilio', clientId: null, sourceMode: 'byok' },
    ],
  },
  {
    name: 'an unusable key of one client hides a good default',
    rows: () => [
      { provider: 'anthropic', clientId: null, sourceMode: 'platform' },
      { provider: 'openai', clientId: null, sourceMode: 'byok' },
      { provider: 'openai', clientId: own(), sourceMode: 'byok', lastCheckOk: false },
      { provider: 'resend', clientId: null, sourceMode: 'byok' },
      { provider: 'twilio', clientId: null, sourceMode: 'byok' },
    ],
  },
];

describe('requirements of more agents than are listed', () => {
  for (const { name, rows } of STORED)
    it(`are those of agents whose key is missing or failing, then of the newest, in the order of the whole list, when ${name}`, async () => {
      const { partnerId, clientId } = service.world;
      await store(rows());
      await service.db.asSystem('seed', async (tx) => {
        for (const scope of [
          { partnerId, clientId: null },
          { partnerId, clientId },
        ]) {
          const all = await listNeeds(tx, scope, PLATFORM, null);
          const order = orderOf(all, scope.clientId);
          assert.ok(order.length >= 4);
          for (const { agent, provider, agents } of all)
            assert.equal(agents, all.filter((one) => one.provider === provider && one.agent.clientId === agent.clientId).length);
          for (let limit = 0; limit <= order.length + 1; limit += 1) {
            const chosen = new Set(order.slice(0, limit));
            const listed = await listNeeds(tx, scope, PLATFORM, limit);
            assert.deepEqual(
              listed,
              all.filter(({ agent }) => chosen.has(agent.id)),
              `of ${limit} agents`,
            );
          }
        }
      });
    });

  it('name an agent that has the title of its template in the language of a client', async () => {
    const { partnerId, clientId, people } = service.world;
    await service.db.asSystem('seed', async (tx) => {
      await tx.deleteFrom('workflow').execute();
      await addWorkflow(tx, { partnerId, clientId, templateName: 'review-request', name: 'Review request' });
      await addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back', name: 'Our own words' });
    });
    const names = async (as: 'owner' | 'clientUser') =>
      (await service.call('GET', `/credentials/requirements${as === 'owner' ? `?clientId=${clientId}` : ''}`, { as })).body
        .flatMap(({ agents }: { agents: { name: string }[] }) => agents.map(({ name }) => name))
        .toSorted();
    await service.database.query("update app_user set locale = 'es' where id = $1", [people.clientUser.userId]);
    try {
      assert.deepEqual([...new Set(await names('clientUser'))], ['Our own words', 'Solicitud de reseña']);
      assert.deepEqual([...new Set(await names('owner'))], ['Our own words', 'Review request']);
    } finally {
      await service.database.query("update app_user set locale = 'en-US' where id = $1", [people.clientUser.userId]);
    }
  });

  it('are those of 250, and the counts those of all', async () => {
    const { partnerId } = service.world;
    await service.db.asSystem('seed', async (tx) => {
      await sql`insert into client (partner_id, name, timezone) select ${partnerId}, 'Client ' || n, 'UTC' from generate_series(1, 600) n`.execute(
        tx,
      );
      await sql`insert into workflow (partner_id, client_id, template_name, template_version, name)
        select partner_id, id, ${ONE_KEY}, 1, name from client where partner_id = ${partnerId} and name like 'Client %'`.execute(tx);
    });
    const { body } = await service.call('GET', '/credentials/requirements', { as: 'owner' });
    assert.equal(new Set(body.flatMap((one: Requirement) => one.agents.map(({ id }) => id))).size, 250);
    const counts = await service.call('GET', COUNTS, { as: 'owner' });
    assert.equal(counts.body.agents, 606);
    assert.deepEqual(
      counts.body.providers.find((one: { provider: string }) => one.provider === 'twilio'),
      { provider: 'twilio', agents: 606, missing: 603, failing: 0 },
    );
    await service.db.asSystem('seed', async (tx) => {
      await sql`delete from workflow where partner_id = ${partnerId}`.execute(tx);
      await sql`delete from client where partner_id = ${partnerId} and name like 'Client %'`.execute(tx);
    });
  });
});

describe('the counts of requirements', () => {
  for (const { name, rows } of STORED)
    it(`are those of the whole list when ${name}`, async () => {
      const { clientId } = service.world;
      await store(rows());
      for (const [as, query] of [
        ['owner', ''],
        ['owner', `?clientId=${clientId}`],
        ['clientUser', ''],
        ['otherClientUser', ''],
      ] as const) {
        const requirements = await service.call('GET', `/credentials/requirements${query}`, { as });
        const counts = await service.call('GET', `${COUNTS}${query}`, { as });
        assert.equal(counts.status, 200);
        assert.deepEqual(
          { ...counts.body, providers: byProvider(counts.body.providers) },
          countsOf(requirements.body),
          `for ${as} with "${query}"`,
        );
      }
    });

  it('are zero without an agent', async () => {
    await service.db.asSystem('seed', (tx) => tx.deleteFrom('workflow').execute());
    assert.deepEqual((await service.call('GET', COUNTS, { as: 'owner' })).body, { agents: 0, providers: [] });
  });

  it('stay inside the scope of the caller', async () => {
    const { partnerId, clientId, otherClientId, rivalClientId } = service.world;
    await service.assertRefused('GET', COUNTS, {});
    await service.assertRefused('GET', `${COUNTS}?partnerId=${partnerId}`, {
      owner: 'scope_forbidden',
      rivalOwner: 'scope_forbidden',
      clientUser: 'scope_forbidden',
    });
    assert.equal((await service.call('GET', `${COUNTS}?partnerId=${partnerId}`, { as: 'staff' })).body.agents, 6);
    await service.assertRefused('GET', `${COUNTS}?clientId=${clientId}`, { rivalOwner: 'not_found', otherClientUser: 'not_found' });
    for (const as of ['owner', 'moderator', 'staff'] as const)
      assert.equal((await service.call('GET', `${COUNTS}?clientId=${clientId}`, { as })).body.agents, 4, as);
    assert.equal((await service.call('GET', `${COUNTS}?clientId=${clientId}`, { as: 'clientUser' })).body.agents, 2);
    assert.equal((await service.call('GET', `${COUNTS}?clientId=${rivalClientId}`, { as: 'owner' })).body.code, 'not_found');
    assert.equal((await service.call('GET', `${COUNTS}?clientId=${otherClientId}`, { as: 'clientUser' })).body.code, 'not_found');
    assert.equal((await service.call('GET', COUNTS, { as: 'rivalOwner' })).body.agents, 1);
    assert.equal((await service.call('GET', `${COUNTS}?clientId=x`, { as: 'owner' })).body.code, 'invalid_query');
  });

  it('hold nothing of another agency or client, whatever ids a statement names', async () => {
    const { partnerId, otherClientId, rivalPartnerId, clientId } = service.world;
    const asRival = await service.db.asTenant({ kind: 'tenant', partnerId: rivalPartnerId, clientId: null }, async (tx) => [
      await countNeeds(tx, { partnerId, clientId: null }, PLATFORM),
      await listNeeds(tx, { partnerId, clientId: null }, PLATFORM, 500),
    ]);
    assert.deepEqual(asRival, [[], []]);
    const asClient = await service.db.asTenant({ kind: 'tenant', partnerId, clientId }, (tx) =>
      countNeeds(tx, { partnerId, clientId: otherClientId }, PLATFORM),
    );
    assert.deepEqual(asClient, []);
  });
});
