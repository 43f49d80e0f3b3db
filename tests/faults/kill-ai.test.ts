import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { after, before, beforeEach, test } from 'node:test';
import type { AiRequest } from '@partner-portal/service/modules/3-product/ai-proxy/index.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { newId } from '@partner-portal/service/platform/ids.ts';
import { type AiService, startAiService } from '../harness/ai.ts';
import { isFull } from '../harness/full.ts';
import { answerText } from '../harness/model-server.ts';
import { until } from '../harness/system.ts';
import type { AiTask } from './ai-worker.ts';
import { killWorker } from './kill-worker.ts';

// The process that calls a model is killed at each point; a sweep settles its open calls, and another process, here the one of the tests, makes the same
// call again. The output that was written is charged exactly once.

let service: AiService;
const workers = new Set<ChildProcess>();
const TEXT = 'word '.repeat(800);

before(async () => {
  service = await startAiService();
  await service.saveKey('owner', 'openai', 'platform');
});
after(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await service?.close();
});
beforeEach(() => service.leaveCredits(10_000));

function startWorker(callId: string): ChildProcess {
  const worker = fork(new URL('ai-worker.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
  const task: AiTask = {
    address: service.database.configFor('portal_service'),
    modelsUrl: service.models.url,
    request: requestOf(callId),
  };
  worker.send(task);
  return worker;
}
function requestOf(callId: string): AiRequest {
  return {
    callId,
    owner: { partnerId: service.world.partnerId, clientId: service.world.clientId },
    purpose: 'proxy',
    provider: 'openai',
    model: 'gpt-5',
    messages: [{ role: 'user', content: 'Hi' }],
    maxTokens: 2_000,
  };
}

const admin = () => ({ ...service.database.host.adminConfig, database: service.database.name });
const query = <Row extends object>(text: string, values?: unknown[]) => service.database.query<Row>(text, values);
const noted = async (callId: string): Promise<number> =>
  (await query<{ n: number }>('select output_tokens as n from ai_call where id = $1', [callId]))[0]?.n ?? 0;
const entries = (callId: string) =>
  query<{ credits: number }>(`select credits from usage_entry where id = $1 and kind = 'ai_tokens'`, [callId]);

type Point = 'before the answer' | 'during the answer' | 'between answer and settlement';

/** Kills a worker at a point of its call. */
async function dieAt(point: Point, callId: string): Promise<void> {
  const go = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  service.models.behave((call, response) => {
    asked.resolve();
    if (point === 'before the answer') return;
    return answerText(call, response, [TEXT, 'end'], { afterFirst: go.promise, usage: { input: 5, output: 1_001 } });
  });
  const worker = startWorker(callId);
  await asked.promise;
  if (point === 'before the answer') return killWorker(worker);
  await until('the answer so far is noted', async () => (await noted(callId)) >= 1_000);
  if (point === 'during the answer') return killWorker(worker);
  await withClient(admin(), async (client) => {
    await client.query('begin');
    await client.query('select 1 from ai_call where id = $1 for update', [callId]);
    go.resolve();
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%settle_ai_call%'`;
    await until('the settlement waits', async () => (await query(waiting)).length > 0);
    await killWorker(worker);
    await client.query('rollback');
  });
}

const POINTS: readonly [Point, charged: number][] = [
  ['before the answer', 0],
  ['during the answer', 6],
  ['between answer and settlement', 6],
];

for (const [point, charged] of POINTS)
  for (let round = 0; round < (isFull ? 10 : 1); round += 1)
    test(`a call whose process is killed ${point} is settled once, and not charged again when it is repeated (${round + 1})`, async () => {
      const callId = newId();
      await dieAt(point, callId);
      assert.deepEqual(await service.quota(), { used: 0, inFlight: 11 });
      await query("update ai_call set expires_at = now() - interval '1 second' where id = $1", [callId]);
      await Promise.all([service.proxy.sweep(), service.proxy.sweep()]);
      assert.deepEqual(await service.quota(), { used: charged, inFlight: 0 });
      assert.deepEqual(await entries(callId), charged === 0 ? [] : [{ credits: -charged }]);
      service.models.behave((call, response) => answerText(call, response, [TEXT], { usage: { input: 5, output: 1_001 } }));
      const reply = await service.proxy.complete(requestOf(callId));
      assert.deepEqual([reply.text, reply.creditsCharged], [TEXT, 6]);
      assert.deepEqual([await service.quota(), await entries(callId)], [{ used: 6, inFlight: 0 }, [{ credits: -6 }]]);
    });
