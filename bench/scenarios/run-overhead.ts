import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { startChild } from '../support/child.ts';
import { type BenchDatabase, seedWorkflows } from '../support/database.ts';
import { summarise, timingText } from '../support/measure.ts';
import type { ServiceAnswer, ServiceSetup } from '../support/service.ts';

const SECRET = 'callback-secret-of-the-bench';
const BODY = JSON.stringify({ callerNumber: '+13125550121', businessNumber: '+13125550100' });
const PER_SECOND = 50;
const SECONDS = 10;

type Dispatched = { executionId: string; workflowId: string; callbackToken: string };

/**
 * What the service adds to an execution at 50 per second: from the event's arrival until the engine is called, and from the engine's
 * report until the execution has finished (the response to a report follows its commit, so the status is visible by then).
 */
export async function benchRunOverhead(database: BenchDatabase, say: (line: string) => void): Promise<void> {
  const workflows = await seedWorkflows(database, 20, 10);
  const postedAt = new Map<string, number>();
  const accept: number[] = [];
  const finish: number[] = [];
  const reports: Promise<void>[] = [];
  const origin = Promise.withResolvers<string>();
  const report = async (run: Dispatched): Promise<void> => {
    const startedAt = performance.now();
    const { statusCode, body } = await (
      await client
    ).request({
      path: '/executions/webhook',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-callback-token': run.callbackToken },
      body: JSON.stringify({
        executionId: run.executionId,
        workflowId: run.workflowId,
        status: 'SUCCEEDED',
        output: { contacted: '+13125550121' },
        steps: [{ name: 'send_text', status: 'succeeded' }],
      }),
    });
    await body.dump();
    if (statusCode === 200) finish.push(performance.now() - startedAt);
  };
  const client = origin.promise.then((address) => new Pool(address, { connections: 32 }));
  // Stand-in for the engine's webhook: records the time of the call, responds at once and reports shortly after.
  const engine = createServer((request, response) => {
    const calledAt = performance.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      const run = JSON.parse(Buffer.concat(chunks).toString()) as Dispatched; // the payload this service makes
      const sentAt = postedAt.get(run.workflowId);
      if (sentAt !== undefined) accept.push(calledAt - sentAt);
      reports.push(report(run));
    });
  });
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  const engineOrigin = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`; // listening on TCP
  const setup: ServiceSetup = { address: database.addressOf('portal_service'), callbackSecret: SECRET, engineOrigin };
  const { ready, child } = await startChild<ServiceSetup, { origin: string }, object, ServiceAnswer>(
    new URL('../support/service.ts', import.meta.url),
    setup,
  );
  origin.resolve(ready.origin);
  const pool = await client;
  const post = async (workflowId: string): Promise<void> => {
    postedAt.set(workflowId, performance.now());
    const token = createHmac('sha256', SECRET).update(`ingest:${workflowId}`).digest('hex');
    const { body } = await pool.request({
      path: `/webhooks/agents/${workflowId}?token=${token}`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: BODY,
    });
    await body.dump();
  };
  const total = PER_SECOND * SECONDS;
  const drive = async (count: number): Promise<void> => {
    const beganAt = performance.now();
    const under: Promise<void>[] = [];
    for (let sent = 0; sent < count; sent += 1) {
      const waitMs = beganAt + (sent * 1000) / PER_SECOND - performance.now();
      if (waitMs > 0) await delay(waitMs);
      under.push(post(workflows[sent % workflows.length] ?? ''));
    }
    await Promise.all(under);
    // The last dispatch follows its acceptance by milliseconds.
    for (let waited = 0; accept.length < count && waited < 100; waited += 1) await delay(20);
    await Promise.all(reports);
  };
  try {
    await drive(PER_SECOND);
    accept.length = 0;
    finish.length = 0;
    await child.ask({});
    await drive(total);
    const { statements } = await child.ask({});
    const [accepted, finished] = [summarise(accept), summarise(finish)];
    say(`event → engine called   ${timingText(accepted)} (${accepted.count} of ${total})`);
    say(`report → run has ended  ${timingText(finished)} (${finished.count} of ${total})`);
    say(`together                mean ${(accepted.mean + finished.mean).toFixed(2)} ms at ${PER_SECOND}/s (target: 15 ms or less)`);
    say(`sql                     ${(statements / total).toFixed(2)} statements per run (target: 12 or less)`);
  } finally {
    await child.stop();
    await pool.close();
    engine.close();
  }
}
