import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, beforeEach, test } from 'node:test';
import type { DirectRun } from '@partner-portal/service/modules/3-product/executions/index.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { newId } from '@partner-portal/service/platform/ids.ts';
import { countLockWaits } from '../harness/database.ts';
import { type DirectAddresses, type DirectProcess, openDirectProcess } from '../harness/direct-process.ts';
import { type ProvisioningService, startProvisioningService } from '../harness/provisioning.ts';
import { until } from '../harness/system.ts';
import { addWorkflow } from '../harness/world.ts';
import type { DirectTask } from './direct-worker.ts';
import { startProxy } from './engine-proxy.ts';
import { killWorker } from './kill-worker.ts';

// The process that runs an agent for a turn is killed at each point; another one, here the one of the tests, is asked for the same turn. One text, one
// charge, no second run.

let service: ProvisioningService;
let workflowId: string;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let other: DirectProcess;
const workers = new Set<ChildProcess>();
let caller = 0;

/** Where the call to the flow is held: before the engine has it, or when its answer is on the way back. For good, unless it is `released`. */
let hold: { at: 'before' | 'after'; reached: () => void; released?: Promise<void> } | undefined;

before(async () => {
  service = await startProvisioningService();
  const { partnerId, clientId } = service.world;
  await service.saveKey('twilio', { clientId });
  workflowId = await service.db.asSystem('seed', (tx) =>
    addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back', providerFlowId: null }),
  );
  const made = await service.call('POST', `/partners/${partnerId}/automation/provision`, { as: 'staff', body: {} });
  assert.equal(made.body.status, 'succeeded');
  await query(`update workflow set config = '{"quietHours":"","repeatAfterHours":0}'`);
  proxy = await startProxy(made.body.instance.baseUrl, async ({ path }, ask) => {
    const held = path.endsWith('/sync') ? hold : undefined;
    hold = held ? undefined : hold;
    const answer = held?.at === 'before' ? null : await ask();
    held?.reached();
    if (held && !held.released) return null;
    await held?.released;
    return answer;
  });
  other = openDirectProcess(addresses());
});
after(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await other?.stop();
  await proxy?.close();
  await service?.close();
});
beforeEach(() => {
  hold = undefined;
});

const query = <Row extends object>(text: string, values?: unknown[]) => service.database.query<Row>(text, values);
const adminAddress = () => ({ ...service.database.host.adminConfig, database: service.database.name });

type Turn = DirectTask['request'];
const turn = (): Turn => ({
  turnId: newId(),
  workflowId,
  input: { callerNumber: `+1312555${String(2000 + (caller += 1))}`, businessNumber: '+13125550100' },
  scope: { partnerId: service.world.partnerId, clientId: service.world.clientId },
});

function startWorker(request: Turn): ChildProcess {
  const worker = fork(new URL('direct-worker.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
  const task: DirectTask = { ...addresses(), request };
  worker.send(task);
  return worker;
}
function addresses(): DirectAddresses {
  return { database: service.database.configFor('portal_service'), engineUrl: proxy.url };
}
async function resultOf(worker: ChildProcess): Promise<DirectRun> {
  const [result] = (await once(worker, 'message')) as [DirectRun];
  return result;
}

async function assertDoneOnce({ turnId, input }: Turn, result: DirectRun): Promise<void> {
  assert.deepEqual([result.kind, result.executionId], ['succeeded', turnId], JSON.stringify(result));
  const number = encodeURIComponent(String(input['callerNumber']));
  const texts = await query("select 1 from sandbox.call where provider = 'twilio' and body like '%' || $1 || '%'", [number]);
  const runs = await query("select 1 from engine.run where input::json->'body'->>'turnId' = $1", [turnId]);
  const charges = await query<{ credits: number }>('select credits from usage_entry where execution_id = $1', [turnId]);
  const [quota] = await query<{ in_flight: number }>('select in_flight from partner_quota where partner_id = $1', [
    service.world.partnerId,
  ]);
  assert.deepEqual([texts.length, runs.length, charges.map((one) => one.credits), quota?.in_flight], [1, 1, [-1], 0]);
}

/** Killed when the call has reached this point. */
async function killAt(at: 'before' | 'after', request: Turn): Promise<void> {
  const reached = Promise.withResolvers<void>();
  hold = { at, reached: reached.resolve };
  const worker = startWorker(request);
  await reached.promise;
  await killWorker(worker);
}

test('killed before the engine has the call, the turn is run by the next process, once', async () => {
  const request = turn();
  await killAt('before', request);
  assert.deepEqual(await query("select 1 from engine.run where input::json->'body'->>'turnId' = $1", [request.turnId]), []);
  await assertDoneOnce(request, await other.run(request));
});

test('killed when the answer is on its way, the turn has its result from the engine, and nothing is sent again', async () => {
  const request = turn();
  await killAt('after', request);
  await assertDoneOnce(request, await other.run(request));
});

test('killed while the flow waits for its provider, the turn is followed by the next process', async () => {
  const request = turn();
  const next = await withClient(adminAddress(), async (client) => {
    await client.query('begin');
    await client.query('lock table sandbox.call in access exclusive mode');
    const worker = startWorker(request);
    await until('the text is on its way', async () => {
      const { rows } = await client.query("select 1 from pg_locks where not granted and relation = 'sandbox.call'::regclass");
      return rows.length > 0;
    });
    await killWorker(worker);
    const [answered] = await Promise.all([other.run(request), client.query('rollback')]);
    return answered;
  });
  await assertDoneOnce(request, next);
});

test('killed between the answer and the end of its run, the run ends once and is charged once', async () => {
  const request = turn();
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  hold = { at: 'after', reached: reached.resolve, released: released.promise };
  await withClient(adminAddress(), async (client) => {
    const worker = startWorker(request);
    await reached.promise;
    // The run is locked before its answer arrives, so its end waits.
    await client.query('begin');
    assert.equal((await client.query('select 1 from execution where id = $1 for update', [request.turnId])).rowCount, 1);
    released.resolve();
    await until('its end waits', async () => (await countLockWaits(service.database)) > 0);
    await killWorker(worker);
    await client.query('rollback');
  });
  await assertDoneOnce(request, await other.run(request));
});

test('three processes that run the same turn at once run it once, and one later has the same result', async () => {
  const request = turn();
  const forked = [1, 2].map(() => resultOf(startWorker(request)));
  const results = await Promise.all([...forked, other.run(request)]);
  results.push(await other.run(request));
  assert.equal(new Set(results.map((one) => JSON.stringify(one))).size, 1);
  await assertDoneOnce(request, results[0] as DirectRun); // there are four
});
