import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Pool } from 'pg';
import { rollPartitions } from '@partner-portal/engine/store/partitions.ts';
import { callEngine, chain, codeStep, endedRun, publishFlow, startTestEngine } from './harness.ts';
import type { TestEngine } from './harness.ts';

const DAY_MS = 86_400_000;
let on: TestEngine;
before(async () => {
  on = await startTestEngine([]);
});
after(() => on.close());

test('the run log forgets what is older than its days and keeps what is younger', async () => {
  const pool = new Pool(on.database.configFor('portal_engine'));
  // Its end does not wait for its connections, and those end with the database.
  pool.on('error', () => undefined);
  const flow = await publishFlow(on, chain(codeStep('step_1', 'export const code = async () => 1;')));
  await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, {});
  const run = await endedRun(on, flow);
  const now = Date.now();
  await rollPartitions(pool, now + 29 * DAY_MS, 30);
  assert.equal((await on.call('GET', `/api/v1/flow-runs/${run.id}`)).status, 200);
  assert.ok((await rollPartitions(pool, now + 38 * DAY_MS, 30)) > 0);
  assert.equal((await on.call('GET', `/api/v1/flow-runs/${run.id}`)).status, 404);
  // Rolling goes on making room ahead, and repeating it changes nothing.
  assert.equal(await rollPartitions(pool, now + 38 * DAY_MS, 30), 0);
  await rollPartitions(pool, now, 30);
  await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flow}`, {});
  assert.equal((await endedRun(on, flow)).status, 'SUCCEEDED');
  await pool.end();
});
