import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { DirectRequest } from '#modules/3-product/executions/index.ts';
import { newId } from '#platform/ids.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';

/** Direct runs against the embedded engine over HTTP, with an installed agent and the provider sandbox. */

let service: ProvisioningService;
let workflowId: string;
let caller = 0;

before(async () => {
  service = await startProvisioningService();
  const { partnerId, clientId } = service.world;
  await service.saveKey('twilio', { clientId });
  workflowId = await service.db.asSystem('seed', (tx) =>
    addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back', providerFlowId: null }),
  );
  const made = await service.call('POST', `/partners/${partnerId}/automation/provision`, { as: 'staff', body: {} });
  assert.equal(made.body.status, 'succeeded', made.body.instance?.lastError);
  await query(`update workflow set config = '{"quietHours":"","repeatAfterHours":0}'`);
});
after(() => service.close());
beforeEach(() => {
  service.wire.around = undefined;
});

const query = <Row extends object>(text: string, values?: unknown[]) => service.database.query<Row>(text, values);
const turn = (change: Partial<DirectRequest> = {}): DirectRequest => ({
  turnId: newId(),
  workflowId,
  input: { callerNumber: `+1312555${String(1000 + (caller += 1))}`, businessNumber: '+13125550100' },
  scope: { partnerId: service.world.partnerId, clientId: service.world.clientId },
  ...change,
});
const run = (request: DirectRequest) => service.executions.runDirectly(request);
const textsTo = async ({ input }: DirectRequest): Promise<number> =>
  (
    await query("select 1 from sandbox.call where provider = 'twilio' and body like '%' || $1 || '%'", [
      encodeURIComponent(String(input['callerNumber'])),
    ])
  ).length;
const runsInEngine = async ({ turnId }: DirectRequest): Promise<number> =>
  (await query("select 1 from engine.run where input::json->'body'->>'turnId' = $1", [turnId])).length;
const charges = async ({ turnId }: DirectRequest): Promise<number[]> =>
  (await query<{ credits: number }>('select credits from usage_entry where execution_id = $1', [turnId])).map((one) => one.credits);
const stored = async ({ turnId }: DirectRequest) =>
  (
    await query<{ status: string; source: string; error_code: string | null; credits_charged: number }>(
      'select status, source, error_code, credits_charged from execution where id = $1',
      [turnId],
    )
  )[0];
const inFlight = async (): Promise<number> =>
  (await query<{ in_flight: number }>('select in_flight from partner_quota where partner_id = $1', [service.world.partnerId]))[0]
    ?.in_flight ?? -1;

test('a turn gives the flow the language of the client', async () => {
  await query("update client set locale = 'es' where id = $1", [service.world.clientId]);
  const request = turn();
  await query(`update workflow set config = config || '{"message": "Buenos días"}' where id = $1`, [request.workflowId]);
  await run(request);
  await query("update client set locale = 'en' where id = $1", [service.world.clientId]);
  await query("update workflow set config = config - 'message' where id = $1", [request.workflowId]);
  const [sent] = await query<{ locale: string }>(
    "select input::json->'body'->'client'->>'locale' as locale from engine.run where input::json->'body'->>'turnId' = $1",
    [request.turnId],
  );
  assert.equal(sent?.locale, 'es');
});

test('a turn calls the flow once and has its result: one text, one charge, no dispatch', async () => {
  const request = turn();
  const result = await run(request);
  assert.deepEqual([result.kind, result.executionId, result.error], ['succeeded', request.turnId, null], JSON.stringify(result));
  assert.equal(result.output?.['contacted'], request.input['callerNumber']);
  assert.match(result.summary, /^Texted /);
  assert.deepEqual([await textsTo(request), await runsInEngine(request)], [1, 1]);
  assert.deepEqual(await charges(request), [-1]);
  assert.deepEqual(await stored(request), { status: 'SUCCEEDED', source: 'chatbot', error_code: null, credits_charged: 1 });
  assert.equal(await inFlight(), 0);
  assert.deepEqual(await query('select 1 from dispatch where execution_id = $1', [request.turnId]), []);
  const page = await service.call('GET', `/executions/${request.turnId}`, { as: 'owner' });
  assert.deepEqual(
    page.body.steps.map((step: { name: string; status: string }) => [step.name, step.status]),
    [
      ['check_hours', 'succeeded'],
      ['send_text', 'succeeded'],
    ],
  );
});

test('the event of a turn has its id, no executionId and no proof', async () => {
  const bodies: Record<string, unknown>[] = [];
  service.wire.around = (call, send) => {
    if (call.url.endsWith('/sync')) bodies.push(JSON.parse(call.body ?? '{}') as Record<string, unknown>);
    return send(call);
  };
  const request = turn();
  await run(request);
  assert.deepEqual(Object.keys(bodies[0] ?? {}).toSorted(), ['client', 'config', 'facts', 'input', 'turnId', 'workflowId']);
  assert.equal(bodies[0]?.['turnId'], request.turnId);
});

test('called twenty times at once, and again afterwards, a turn runs once', async () => {
  const request = turn();
  const results = await Promise.all(Array.from({ length: 20 }, () => run(request)));
  const again = await run(request);
  assert.deepEqual(new Set([...results, again].map((one) => JSON.stringify(one))).size, 1);
  assert.deepEqual([await textsTo(request), await runsInEngine(request), await charges(request)], [1, 1, [-1]]);
});

test('an answer that is lost is found at the engine, and nothing is sent again', async () => {
  const request = turn();
  let posts = 0;
  service.wire.around = async (call, send) => {
    if (!call.url.endsWith('/sync')) return send(call);
    posts += 1;
    await send(call);
    throw new OutboundError('connection_failed', true);
  };
  const result = await run(request);
  assert.deepEqual([result.kind, posts], ['succeeded', 1]);
  assert.deepEqual([await textsTo(request), await runsInEngine(request), await charges(request)], [1, 1, [-1]]);
});

test('a call that was lost on its way is made again once the engine says that it has no run', async () => {
  const request = turn();
  const seen: string[] = [];
  service.wire.around = async (call, send) => {
    const isCall = call.url.endsWith('/sync');
    if (isCall || call.url.includes('/flow-runs/')) seen.push(isCall ? 'call' : 'look');
    if (isCall && seen.length === 1) throw new OutboundError('connection_failed', true);
    return send(call);
  };
  assert.equal((await run(request)).kind, 'succeeded');
  assert.deepEqual(seen, ['call', 'look', 'call']);
  assert.deepEqual([await textsTo(request), await charges(request)], [1, [-1]]);
});

test('a failure of the flow is the result of the turn, is not charged, and holds no credits', async () => {
  const request = turn({ input: { callerNumber: '+15002160600', businessNumber: '+13125550100' } });
  const result = await run(request);
  assert.deepEqual([result.kind, result.error?.code], ['failed', 'twilio_sender_rejected']);
  assert.match(result.summary, /^Could not text /);
  assert.deepEqual([await charges(request), await inFlight()], [[], 0]);
  assert.equal((await stored(request))?.status, 'FAILED');
});

test('an engine that cannot be reached for some seconds makes the run unavailable, and a later call does not run it', async () => {
  const request = turn();
  service.wire.around = async (call, send) => {
    if (call.url.endsWith('/sync')) throw new OutboundError('connection_refused', false);
    return send(call);
  };
  const result = await run(request);
  assert.deepEqual([result.kind, result.error?.code], ['unavailable', 'dispatch_failed']);
  service.wire.around = undefined;
  assert.deepEqual(await run(request), result);
  assert.deepEqual([await textsTo(request), await runsInEngine(request), await charges(request)], [0, 0, []]);
});

test('an agent that is installed from a version before it could answer is refused at once, and runs again after its repair', async () => {
  await query('update workflow set template_version = 1');
  let calls = 0;
  service.wire.around = (call, send) => {
    calls += 1;
    return send(call);
  };
  const result = await run(turn());
  assert.deepEqual([result.kind, result.executionId, result.error?.code], ['refused', null, 'flow_outdated']);
  assert.equal(calls, 0, 'the engine was not asked');
  await query('update workflow set template_version = 2');
  assert.equal((await run(turn())).kind, 'succeeded');
});
