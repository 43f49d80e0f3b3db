import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { callbackToken } from '@partner-portal/core/execution/token.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@partner-portal/service/platform/db/embedded.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { newId } from '@partner-portal/service/platform/ids.ts';
import type { AdminQuery } from '../harness/database.ts';
import { CALL, type ExecutionService, startExecutionService } from '../harness/executions.ts';
import { fillDataDir } from '../harness/cluster-template.ts';
import { makeDataDir } from '../harness/data-folder.ts';
import { until } from '../harness/system.ts';
import type { TestReply } from '../harness/service.ts';

// Postgres goes away and comes back under real requests: what it answers with is the driver's, the server's and the system's.

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
let dataDir: string;
let postgres: EmbeddedPostgres;
let service: ExecutionService;
let workflowId: string;
const lines: string[] = [];

before(async () => {
  dataDir = makeDataDir();
  await fillDataDir(dataDir);
  postgres = await startEmbeddedPostgres({ dataDir: `${dataDir}/postgres`, log: quiet });
  const configFor = (role: string) => postgres.configFor(role, 'portal');
  // With a connection for each, since those before a restart are gone.
  const query: AdminQuery = (text, values) =>
    withClient({ ...postgres.adminConfig, database: 'portal' }, async (client) => (await client.query(text, [...(values ?? [])])).rows);
  const database = { name: 'portal', host: postgres, configFor, query, drop: async () => undefined };
  service = await startExecutionService({ database, logLine: (line) => void lines.push(line) });
  workflowId = await service.addAgent();
});
after(async () => {
  await service?.close();
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

function report(): Promise<TestReply> {
  const executionId = newId();
  const token = callbackToken(service.callbackSecret.reveal(), executionId);
  const body = { executionId, workflowId, status: 'SUCCEEDED', output: {} };
  return service.call('POST', '/executions/webhook', { body, headers: { 'x-callback-token': token } });
}

/** Requests of every kind of access, and the statuses each has while the database is there. */
const REQUESTS: { [name: string]: { send: () => Promise<TestReply>; expected: readonly number[] } } = {
  event: { send: () => service.ingest(workflowId, CALL), expected: [202, 429] },
  report: { send: report, expected: [404] },
  list: { send: () => service.call('GET', '/executions?limit=1', { as: 'owner' }), expected: [200] },
  change: { send: () => service.call('PATCH', '/auth/me', { as: 'owner', body: { fullName: 'Renamed' } }), expected: [200] },
  'without a session': {
    send: () => service.call('POST', '/auth/reset-password', { body: { token: 'x'.repeat(43), password: 'eleven blue herons' } }),
    expected: [410, 422],
  },
};

/** Sends all requests, several at a time, until stopped. */
function load() {
  const seen: { name: string; reply: TestReply }[] = [];
  let isStopped = false;
  const senders = Object.entries(REQUESTS).flatMap(([name, { send }]) =>
    Array.from({ length: 2 }, async () => {
      while (!isStopped) seen.push({ name, reply: await send() });
    }),
  );
  return {
    seen,
    async stop() {
      isStopped = true;
      await Promise.all(senders);
    },
  };
}

const endBackends = () =>
  withClient(postgres.adminConfig, (client) =>
    client.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'portal_service'"),
  );

const WAYS: [string, () => Promise<unknown>][] = [
  ['is killed', async () => process.kill(postgres.pid() ?? 0, 'SIGKILL')],
  ['is stopped in order and started', async () => process.kill(postgres.pid() ?? 0, 'SIGINT')],
  ['ends every connection', endBackends],
];

describe('while Postgres goes away and comes back, a request', () => {
  for (const [what, interrupt] of WAYS) {
    it(`is answered as usual or with 503 and Retry-After, never with 500, when it ${what}`, async () => {
      const running = load();
      const { seen } = running;
      for (let round = 0; round < 2; round++) {
        const start = seen.length;
        const isFine = (name: string): boolean =>
          seen.slice(start).some((one) => one.name === name && REQUESTS[name]?.expected.includes(one.reply.status));
        await until('all are answered', () => Object.keys(REQUESTS).every(isFine));
        const before = seen.length;
        const server = postgres.pid();
        await interrupt();
        if (interrupt !== endBackends) await until('it is back', () => postgres.pid() !== null && postgres.pid() !== server);
        await until('something was answered', () => seen.length > before + 20);
      }
      await running.stop();
      const odd = seen.filter(({ name, reply }) => reply.status !== 503 && !REQUESTS[name]?.expected.includes(reply.status));
      const causeOf = ({ reply }: (typeof odd)[number]) =>
        lines.find((line) => line.includes('failed') && line.includes(reply.body?.requestId));
      assert.deepEqual(
        odd.map((one) => `${one.name}: ${one.reply.status} ${causeOf(one)}`),
        [],
      );
      const refused = seen.filter(({ reply }) => reply.status === 503);
      assert.ok(refused.length > 0, 'no request met the moment');
      for (const { reply } of refused) {
        assert.equal(reply.body.code, 'service_unavailable');
        assert.ok(Number(reply.headers['retry-after']) > 0);
      }
    });
  }
});

describe('an error of a request', () => {
  it('of the database being away is logged as an error with its cause', () => {
    const logged = lines.map((line) => JSON.parse(line) as { level: number | string; msg: string; err?: { message?: string } });
    const failed = logged.filter(({ msg }) => msg === 'request failed');
    assert.ok(failed.length > 0);
    for (const { level, err } of failed) {
      assert.ok(level === 50 || level === 'error', String(level));
      assert.ok(err?.message, 'no cause');
    }
  });
});
