import assert from 'node:assert/strict';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import { connectionPrefix, externalConnectionId, flowFromTemplate } from '@partner-portal/core/template/template.ts';
import type { AttemptMode } from '@partner-portal/contract/vocabulary.ts';
import type { EngineClient } from '@partner-portal/service/adapters/engine-client.ts';
import type { DemoClient } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { signSession } from '../harness/callers.ts';
import { setupEnd } from '../harness/setup-end.ts';
import type { System } from '../harness/system.ts';

const TEMPLATE = 'missed-call-text-back';

/** A partner with two clients, one agent each, and one key; each client's agent has a connection of its own made from it. */
export type TestPartner = {
  slug: string;
  partnerId: string;
  clientIds: readonly string[];
  agents: readonly string[];
  /** A staff user per partner: requests per user and minute are limited. */
  staff: DemoClient;
};

export async function addPartners(system: System, count: number): Promise<TestPartner[]> {
  const partners: TestPartner[] = [];
  for (let n = 1; n <= count; n += 1) partners.push(await addPartner(system, n));
  return partners;
}

async function addPartner(system: System, n: number): Promise<TestPartner> {
  const slug = `harbor-${n}`;
  const [house] = await system.query<{ id: string }>('select id from partner where is_house');
  assert.ok(house);
  const staff = await addPerson(system, `staff-${n}@portal.example`, { role: 'ADMIN', partnerId: house.id });
  const [plan] = await staff.listPlans();
  assert.ok(plan);
  const { partner } = await staff.createPartner({
    body: { name: slug, slug, timezone: 'America/Chicago', planId: plan.id, ownerEmail: `owner@${slug}.example`, ownerName: 'Ada Berg' },
  });
  const owner = await addPerson(system, `ada@${slug}.example`, { role: 'PARTNER', partnerId: partner.id, partnerRole: 'admin' });
  const data = { accountSid: 'ACsandbox00000000000000000000000000', authToken: 'sandbox-auth-token' };
  await owner.putCredential({ params: { provider: 'twilio' }, body: { sourceMode: 'byok', data } });
  const clients = ['Pier Dental', 'Quay Physio'].map((name) => owner.createClient({ body: { name, timezone: 'America/Chicago' } }));
  const clientIds = (await Promise.all(clients)).map((client) => client.id);
  const config = { quietHours: '', repeatAfterHours: 0 };
  const added = clientIds.map((clientId) =>
    staff.createAgent({ body: { partnerId: partner.id, clientId, templateName: TEMPLATE, config } }),
  );
  return { slug, partnerId: partner.id, clientIds, agents: (await Promise.all(added)).map((agent) => agent.id), staff };
}

/** A person with a session and without a password: hashing passwords takes longer than a setup. */
async function addPerson(system: System, email: string, claims: Parameters<typeof signSession>[1]): Promise<DemoClient> {
  const [person] = await system.query<{ id: string; email: string }>(
    `insert into app_user (email, full_name, role, partner_id, partner_role, sessions_valid_from)
     values ($1, 'Ada Berg', $2, $3, $4, now() - interval '1 minute') returning id, email`,
    [email, claims.role, claims.partnerId, claims.partnerRole ?? null],
  );
  assert.ok(person);
  return system.client(signSession(system.settings()['JWT_SECRET'] ?? '', claims, person));
}

/** Requests an attempt as staff and returns its outcome. */
export function requestAttempt({ staff, partnerId, slug }: TestPartner, mode: AttemptMode) {
  const params = { id: partnerId };
  if (mode === 'provision') return staff.provision({ params, body: {} });
  if (mode === 'deprovision') return staff.deprovision({ params, query: { confirm: slug } });
  return staff.reprovision({ params, body: { mode } });
}

/** Requests an attempt and asserts that it succeeds. */
export async function runAttempt(partner: TestPartner, mode: AttemptMode, message: string): Promise<void> {
  const answer = await setupEnd(partner.staff, await requestAttempt(partner, mode));
  const status = mode === 'deprovision' ? 'unprovisioned' : 'ready';
  assert.deepEqual(
    [answer.status, answer.instance.status],
    ['succeeded', status],
    `${message}, then ${mode}: ${answer.instance.lastError ?? ''}`,
  );
}

/** Deletes one flow in the engine and changes the other, so that a repair has to create, import and publish. */
export async function damageFlows(system: System, engine: EngineClient, { agents }: TestPartner): Promise<void> {
  const rows = await system.query<{ flow: string }>(
    'select w.provider_flow_id as flow from workflow w join client c on c.id = w.client_id where w.id = any($1) order by c.name',
    [agents],
  );
  const [first = '', second = ''] = rows.map((row) => row.flow);
  const bundle = loadBundles().find((one) => one.template.name === TEMPLATE);
  assert.ok(bundle);
  const options = { internalApiUrl: 'http://elsewhere.test', connectionIds: {}, displayName: 'x', codeSources: bundle.sources };
  await engine.deleteFlow(first);
  await engine.importFlow(second, flowFromTemplate(bundle.template, { ...options, pieceVersions: await engine.pieceVersions() }));
}

/** Returns the engine's objects of a partner, with the service's records of them. */
async function readEngine(system: System, { partnerId }: TestPartner) {
  const flows = await system.query<{ workflow: string; flow: string; status: string }>(
    `select metadata->>'workflowId' as workflow, id as flow, status from engine.flow where metadata->>'partnerId' = $1 order by 1`,
    [partnerId],
  );
  const recorded = await system.query(
    `select id::text as workflow, provider_flow_id as flow, 'ENABLED' as status from workflow
     where partner_id = $1 and provider_flow_id is not null order by 1`,
    [partnerId],
  );
  const connections = await system.query<{ id: string }>(
    `select external_id as id from engine.app_connection where starts_with(external_id, $1) order by 1`,
    [connectionPrefix(partnerId)],
  );
  const bound = await system.query<{ id: string }>('select external_id as id from engine_connection where partner_id = $1 order by 1', [
    partnerId,
  ]);
  return { flows, recorded, connections: connections.map((row) => row.id), bound: bound.map((row) => row.id) };
}

export async function assertInstalledOnce(system: System, partner: TestPartner, message: string): Promise<void> {
  const found = await readEngine(system, partner);
  assert.deepEqual(
    found.flows.map((flow) => flow.workflow),
    partner.agents.toSorted(),
    `${message}: one flow per workflow`,
  );
  assert.deepEqual(found.recorded, found.flows, `${message}: each is enabled and recorded`);
  const needed = partner.clientIds.map((clientId) => externalConnectionId(partner.partnerId, clientId, 'twilio')).toSorted();
  assert.deepEqual([found.connections, found.bound], [needed, needed], `${message}: one connection per requirement`);
}

export async function assertRemoved(system: System, partner: TestPartner, message: string): Promise<void> {
  assert.deepEqual(await readEngine(system, partner), { flows: [], recorded: [], connections: [], bound: [] }, message);
}
