import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { externalConnectionId } from '@partner-portal/core/template/template.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import type { InternalCall } from '#platform/outbound/internal-fetch.ts';

/** The calls that a setup makes to the engine, the same for either engine, counted by kind. FEATURE.md states the sums. */

const KEYLESS = 'lead-intake-cleaner';
const ALL_PROVIDERS = ['anthropic', 'calcom', 'openai', 'postgres', 'resend', 'twilio'];
/** Health, version and the project, asked once an attempt. */
const PER_ATTEMPT = { 'GET health': 1, 'GET flags': 1, 'GET projects': 1 };

let service: ProvisioningService;
let made: string[] = [];
/** What the newest attempt says of its connections. */
let bound: string | undefined;

before(async () => {
  service = await startProvisioningService();
  service.wire.around = (call, send) => {
    const name = nameOf(call);
    // The versions of pieces are kept for a minute by the client, so they belong to no attempt.
    if (!name.startsWith('GET pieces')) made.push(name);
    return send(call);
  };
});
after(() => service.close());
beforeEach(() => service.forget());

test('a first setup of N flows costs the engine three calls and seven a flow', async () => {
  const keyless = service.catalog.filter((bundle) => bundle.template.requiredConnections.every((provider) => provider === 'code'));
  assert.deepEqual(
    keyless.map((bundle) => bundle.template.name),
    [KEYLESS],
  );
  assert.deepEqual(await countCalls('provision', { templateNames: [KEYLESS] }), firstSetup(1, 0));
  await service.forget();
  await service.db.asSystem('seed', async (tx) => {
    const { partnerId, clientId, otherClientId } = service.world;
    for (const client of [null, clientId, otherClientId])
      await addWorkflow(tx, { partnerId, clientId: client, templateName: KEYLESS, providerFlowId: null });
  });
  assert.deepEqual(await countCalls('provision', { templateNames: [KEYLESS] }), firstSetup(3, 0));
});

test('all twelve templates at once: three calls, seven a flow, one a connection, and one look for doubled ones', async () => {
  for (const provider of ALL_PROVIDERS) await service.saveKey(provider);
  const templateNames = service.catalog.map((bundle) => bundle.template.name);
  assert.equal(templateNames.length, 12);
  assert.deepEqual(await countCalls('provision', { templateNames }), firstSetup(12, ALL_PROVIDERS.length));
});

test('a repair that finds everything in place costs one read a flow and one look at the connections, and writes nothing', async () => {
  for (const provider of ALL_PROVIDERS) await service.saveKey(provider);
  await countCalls('provision', { templateNames: service.catalog.map((bundle) => bundle.template.name) });
  assert.deepEqual(await countCalls('reprovision', { mode: 'repair' }), {
    'GET flows': 12,
    'GET connection': 1,
  });
});

test('a repair writes the connection that someone else has changed in the engine, and no other', async () => {
  for (const provider of ALL_PROVIDERS) await service.saveKey(provider);
  await countCalls('provision', { templateNames: service.catalog.map((bundle) => bundle.template.name) });
  await service.client.upsertConnection({
    projectId: service.projectId,
    externalId: externalConnectionId(service.world.partnerId, null, 'openai'),
    displayName: 'Changed by hand',
    props: { apiKey: 'another', baseUrl: 'http://127.0.0.1:9' },
  });
  const repaired = await countCalls('reprovision', { mode: 'repair' });
  assert.deepEqual([repaired['POST connection'], repaired['GET connection']], [1, 2]);
  assert.equal(bound, '6 of 6 connections bound, 5 unchanged');
  assert.equal((await countCalls('reprovision', { mode: 'repair' }))['POST connection'], undefined);
});

/** Search by tag, create, import, publish; read back to verify, to enable, and by the client before it publishes. */
function firstSetup(flows: number, connections: number): { [name: string]: number } {
  return {
    ...PER_ATTEMPT,
    ...(connections === 0 ? {} : { 'POST connection': connections, 'GET connection': 1 }),
    'GET flows': flows,
    'POST flows': flows,
    'IMPORT_FLOW flow': flows,
    'GET flow': 3 * flows,
    'LOCK_AND_PUBLISH flow': flows,
  };
}

/** The engine calls of one attempt that must succeed, by name. */
async function countCalls(path: 'provision' | 'reprovision', body: object): Promise<{ [name: string]: number }> {
  made = [];
  const { body: answer } = await service.call('POST', `/partners/${service.world.partnerId}/automation/${path}`, { as: 'staff', body });
  assert.equal(answer.status, 'succeeded', answer.instance?.lastError);
  bound = answer.steps.find((step: { name: string }) => step.name === 'bind_credentials')?.summary;
  return Object.fromEntries([...Map.groupBy(made, (name) => name)].map(([name, calls]) => [name, calls.length]));
}

/** `GET flow`, `IMPORT_FLOW flow`, `POST connection`: the operation of a flow is in its body. */
function nameOf(call: InternalCall): string {
  const [, noun = '', id] = /^\/api\/v1\/([^/]+)(?:\/(.+))?$/.exec(new URL(call.url).pathname) ?? [];
  if (noun === 'app-connections') return `${call.method} connection`;
  if (noun !== 'flows' || id === undefined) return `${call.method} ${noun}`;
  const operation = typeof call.body === 'string' ? /"type":"([A-Z_]+)"/.exec(call.body)?.[1] : undefined;
  return `${operation ?? call.method} flow`;
}
