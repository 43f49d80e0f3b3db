import assert from 'node:assert/strict';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import { connectionPrefix, externalConnectionId, flowFromTemplate } from '@partner-portal/core/template/template.ts';
import type { AttemptMode } from '@partner-portal/contract/vocabulary.ts';
import type { EngineClient } from '@partner-portal/service/adapters/engine-client.ts';
import { type DemoClient, signIn } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { DEMO_PASSWORD, type System } from '../harness/system.ts';

const TEMPLATE = 'missed-call-text-back';

/** One agency with two clients, one agent each, and one key: each client's agent has a connection of its own made from it. */
export type Agency = {
  slug: string;
  partnerId: string;
  clientIds: readonly string[];
  agents: readonly string[];
  /** A member of staff who looks after it: what one person may ask in a minute is limited. */
  staff: DemoClient;
};

export async function addAgencies(system: System, count: number): Promise<Agency[]> {
  const agencies: Agency[] = [];
  for (let n = 1; n <= count; n += 1) agencies.push(await addAgency(system, n));
  return agencies;
}

async function addAgency(system: System, n: number): Promise<Agency> {
  const slug = `harbor-${n}`;
  const staff = await addStaff(system, n);
  const [plan] = await staff.listPlans();
  assert.ok(plan);
  const email = `owner@${slug}.example`;
  const { partner, invitation } = await staff.createPartner({
    body: { name: slug, slug, timezone: 'America/Chicago', planId: plan.id, ownerEmail: email, ownerName: 'Ada Berg' },
  });
  const token = new URL(invitation.acceptUrl).pathname.split('/').at(-1) ?? '';
  await system.client().acceptInvitation({ body: { token, password: DEMO_PASSWORD, fullName: 'Ada Berg' } });
  const owner = await signIn(system.baseUrl, email, DEMO_PASSWORD);
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

/** Staff exist by seeding only; this one is seeded beside the first. */
async function addStaff(system: System, n: number): Promise<DemoClient> {
  const email = `staff-${n}@portal.example`;
  await system.query(
    `insert into app_user (email, full_name, role, partner_id, password_hash)
     select $1, 'Staff', role, partner_id, password_hash from app_user where email = $2`,
    [email, system.admin.email],
  );
  return signIn(system.baseUrl, email, system.admin.password);
}

/** Asks for an attempt as staff do. Answers whatever came of it. */
export function ask({ staff, partnerId, slug }: Agency, mode: AttemptMode) {
  const params = { id: partnerId };
  if (mode === 'provision') return staff.provision({ params, body: {} });
  if (mode === 'deprovision') return staff.deprovision({ params, query: { confirm: slug } });
  return staff.reprovision({ params, body: { mode } });
}

/** Asks for an attempt that must succeed. */
export async function succeed(agency: Agency, mode: AttemptMode, message: string): Promise<void> {
  const answer = await ask(agency, mode);
  const status = mode === 'deprovision' ? 'unprovisioned' : 'ready';
  assert.deepEqual(
    [answer.status, answer.instance.status],
    ['succeeded', status],
    `${message}, then ${mode}: ${answer.instance.lastError ?? ''}`,
  );
}

/** Somebody deletes one flow in the engine and changes the other: a repair has to make, import and publish. */
export async function damage(system: System, engine: EngineClient, { agents }: Agency): Promise<void> {
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

/** All there is of an agency in the engine, beside what its own records say there should be. */
async function readEngine(system: System, { partnerId }: Agency) {
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

export async function assertInstalledOnce(system: System, agency: Agency, message: string): Promise<void> {
  const found = await readEngine(system, agency);
  assert.deepEqual(
    found.flows.map((flow) => flow.workflow),
    agency.agents.toSorted(),
    `${message}: one flow per workflow`,
  );
  assert.deepEqual(found.recorded, found.flows, `${message}: each is on, and is the one that is recorded`);
  const needed = agency.clientIds.map((clientId) => externalConnectionId(agency.partnerId, clientId, 'twilio')).toSorted();
  assert.deepEqual([found.connections, found.bound], [needed, needed], `${message}: one connection per requirement`);
}

export async function assertGone(system: System, agency: Agency, message: string): Promise<void> {
  assert.deepEqual(await readEngine(system, agency), { flows: [], recorded: [], connections: [], bound: [] }, message);
}
