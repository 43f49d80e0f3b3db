import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '@partner-portal/service/platform/ids.ts';
import { createEngineClient, type EngineClient } from '@partner-portal/service/adapters/engine-client.ts';
import { createEngineSend } from '@partner-portal/service/adapters/engine/engine-send.ts';
import { createInternalFetch } from '@partner-portal/service/platform/outbound/internal-fetch.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { ADMIN, chain, codeStep, endedRun, publishFlow, startTestEngine, type TestEngine } from './harness.ts';

/** The embedded engine's runs that ended without success, as the service's client finds them. */

const outbound = createInternalFetch(() => true);
let on: TestEngine;
let client: EngineClient;

before(async () => {
  on = await startTestEngine([]);
  client = createEngineClient({
    baseUrl: () => on.base,
    account: { email: ADMIN.email, password: new Secret(ADMIN.password) },
    send: createEngineSend(outbound),
    clock: { now: () => new Date() },
  });
});
after(async () => {
  await on?.close();
  await outbound.close();
});

/** A flow that fails on events that say so. */
const publish = (): Promise<string> =>
  publishFlow(
    on,
    chain(
      codeStep('step_1', 'export const code = ({ fails }) => { if (fails) throw new Error("no"); };', { fails: '{{trigger.body.fails}}' }),
    ),
  );

test('of some flows are listed without those of others and those that succeeded, and name their execution', async () => {
  const [flow, second, other] = [await publish(), await publish(), await publish()];
  const since = new Date();
  const sent = [
    { flow, executionId: newId(), fails: true },
    { flow, executionId: newId(), fails: false },
    { flow: second, executionId: newId(), fails: true },
    { flow: other, executionId: newId(), fails: true },
  ];
  for (const { flow: to, ...body } of sent) assert.equal(await client.dispatch(to, body.executionId, body), 'accepted');
  await Promise.all([endedRun(on, flow, 2), endedRun(on, second), endedRun(on, other)]);
  const stopped = await client.listStopped([
    { flowId: flow, since },
    { flowId: second, since },
    { flowId: 'gone', since },
  ]);
  const read = await Promise.all(stopped.map(async ({ runId, flowId }) => ({ flowId, found: await client.readStopped(runId) })));
  assert.deepEqual(
    new Set(read.map(({ flowId, found }) => `${flowId} ${found?.executionId} ${found?.run.status}`)),
    new Set([`${flow} ${sent[0]?.executionId} FAILED`, `${second} ${sent[2]?.executionId} FAILED`]),
  );
  assert.equal(await client.readStopped('x'.repeat(21)), null);
});
