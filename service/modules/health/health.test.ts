import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestService, type TestService } from '@house/tests/harness/service.ts';
import { type Check, health } from './index.ts';

let service: TestService;
let engine: Check = 'ok';
let isUp = true;
before(async () => {
  service = await startTestService({
    modules: ({ db }) => [
      health({
        db: { ...db, isUp: async (timeoutMs) => isUp && db.isUp(timeoutMs) },
        queueDepth: async () => (isUp ? 0 : null),
        engine: async () => engine,
        mail: async () => 'disabled',
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

it('answers 503 without the database, and names no address', async () => {
  isUp = false;
  const { status, body } = await service.call('GET', '/health/ready');
  assert.deepEqual([status, body], [503, { status: 'down', checks: { database: 'down', queue: 'down', engine: 'ok', mail: 'disabled' } }]);
  isUp = true;
});
