import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { countStaff } from '#modules/2-tenancy/identity/index.ts';
import { type Check, health } from './index.ts';

const configuration = [{ settings: ['SMTP_HOST'], state: 'warn', message: 'No mail leaves.' }] as const;

let service: TestService;
let engine: Check = 'ok';
let isUp = true;
let isSilent = false;
let hasRunnerEnded = false;
before(async () => {
  service = await startTestService({
    modules: ({ db, mail }) => [
      health({
        db: { ...db, isUp: async () => isUp && db.isUp(60_000) },
        queueDepth: async () => (isUp ? 0 : isSilent ? new Promise<never>(() => undefined) : null),
        hasRunnerEnded: () => hasRunnerEnded,
        engine: async () => engine,
        mail: async () => 'disabled',
        countMail: mail.countMail,
        countStaff,
        staffMfaRequired: true,
        configuration,
      }),
    ],
  });
});
after(() => service.close());

it('says it is alive without looking at anything', async () => {
  isUp = false;
  const { status, body } = await service.call('GET', '/health');
  assert.deepEqual([status, body], [200, { status: 'ok' }]);
  isUp = true;
});

it('is ready when everything answers, and a switched-off part does not count', async () => {
  const { status, body } = await service.call('GET', '/health/ready');
  assert.deepEqual([status, body], [200, { status: 'ok', checks: { database: 'ok', queue: 'ok', engine: 'ok', mail: 'disabled' } }]);
});

it('is degraded, not down, while the engine is away', async () => {
  engine = 'down';
  const { status, body } = await service.call('GET', '/health/ready');
  assert.deepEqual([status, body.status, body.checks.engine], [200, 'degraded', 'down']);
  engine = 'ok';
});

it('is degraded while no job is taken', async () => {
  hasRunnerEnded = true;
  const { status, body } = await service.call('GET', '/health/ready');
  assert.deepEqual([status, body.status, body.checks.queue], [200, 'degraded', 'degraded']);
  hasRunnerEnded = false;
});

it('is degraded while no worker of any process has been seen for a minute, and staff read since when', async () => {
  const write = (seconds: number) =>
    service.database.query(
      `insert into worker_heartbeat values (true, now() - interval '${seconds} seconds') on conflict (id) do update set seen_at = excluded.seen_at`,
    );
  await write(61);
  const { status, body } = await service.call('GET', '/health/ready');
  assert.deepEqual([status, body.status, body.checks.queue], [200, 'degraded', 'degraded']);
  const system = (await service.call('GET', '/provisioning/system', { as: 'staff' })).body;
  assert.deepEqual([system.workers.isSilent, Date.parse(system.workers.seenAt) < Date.now()], [true, true]);
  await write(5);
  assert.equal((await service.call('GET', '/health/ready')).body.checks.queue, 'ok');
});

it('answers 503 without the database, and names no address', async () => {
  isUp = false;
  const { status, body } = await service.call('GET', '/health/ready');
  assert.deepEqual([status, body], [503, { status: 'down', checks: { database: 'down', queue: 'down', engine: 'ok', mail: 'disabled' } }]);
  isUp = true;
});

it('answers 503 while the database is silent, without waiting for it', { timeout: 60_000 }, async () => {
  isUp = false;
  isSilent = true;
  const { status, body } = await service.call('GET', '/health/ready');
  assert.deepEqual([status, body.checks.database, body.checks.queue], [503, 'down', 'down']);
  isUp = true;
  isSilent = false;
});

it('shows staff only the state of the parts, the queues and notes on the configuration', async () => {
  const { db, mail, world } = service;
  await db.asSystem('seed', (tx) =>
    mail.queueMail(tx, { partnerId: world.partnerId, to: 'a@b.example', kind: 'mfa_enabled', data: { at: new Date() } }),
  );
  const { status, body } = await service.call('GET', '/provisioning/system', { as: 'staff' });
  assert.deepEqual([status, body.status, body.checks.mail, body.queueDepth, body.configuration], [200, 'ok', 'disabled', 0, configuration]);
  assert.deepEqual(body.mail, { configured: false, queued: 0, failed: 0, notConfigured: 1, sent24h: 0, oldestQueuedAt: null });
  assert.deepEqual(body.staff, { active: 1, withoutSecondStep: 1, secondStepRequired: true });
  await service.assertRefused('GET', '/provisioning/system', {
    owner: 'role_forbidden',
    moderator: 'role_forbidden',
    clientUser: 'role_forbidden',
  });
});
