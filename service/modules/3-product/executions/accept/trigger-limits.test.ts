import assert from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';

let service: ExecutionService;
let workflowId: string;
before(async () => {
  service = await startExecutionService();
  workflowId = await service.addAgent();
});
after(() => service.close());
beforeEach(async () => {
  await service.limits.forget('clientTrigger', service.world.people.clientUser.userId);
  await service.limits.forget('clientTriggerOfAll', service.world.clientId);
  await service.limits.forget('clientTriggerOfAllHour', service.world.clientId);
});

const trigger = (as: 'clientUser' | 'owner') => service.call('POST', `/workflows/${workflowId}/trigger`, { as, body: { input: CALL } });

it('of sixty runs that a user of a client starts at once, ten are accepted and the others say when to try again', async () => {
  const replies = await Promise.all(Array.from({ length: 60 }, () => trigger('clientUser')));
  assert.equal(replies.filter(({ status }) => status === 202).length, LIMITS.clientTriggersPerMinute);
  const refused = replies.find(({ status }) => status !== 202);
  assert.deepEqual([refused?.status, refused?.body.code], [429, 'rate_limited']);
  assert.match(refused?.body.detail, /^Please wait \d+ seconds? before the next request\.$/);
});

it('the users of a client together have a limit of a minute and of an hour', async () => {
  for (let n = 0; n < LIMITS.clientTriggersOfAllPerMinute; n += 1) await service.limits.count('clientTriggerOfAll', service.world.clientId);
  assert.equal((await trigger('clientUser')).status, 429);
  await service.limits.forget('clientTriggerOfAll', service.world.clientId);
  assert.equal((await trigger('clientUser')).status, 202);
  for (let n = 0; n < LIMITS.clientTriggersOfAllPerHour; n += 1)
    await service.limits.count('clientTriggerOfAllHour', service.world.clientId);
  assert.equal((await trigger('clientUser')).status, 429);
});

it('an agency starts as many as before', async () => {
  for (let n = 0; n < LIMITS.clientTriggersOfAllPerMinute + 1; n += 1) assert.equal((await trigger('owner')).status, 202);
});

it('a key that started a test starts no real run, nor the other way round: the same run again is its repeat', async () => {
  const start = (key: string, body: object) =>
    service.call('POST', `/workflows/${workflowId}/trigger`, { as: 'owner', body, headers: { 'idempotency-key': key } });
  for (const [key, first, other] of [
    ['test first', { input: CALL, isTest: true }, { input: CALL }],
    ['real first', { input: CALL }, { input: CALL, isTest: true }],
  ] as const) {
    const started = await start(key, first);
    assert.equal(started.status, 202);
    const reused = await start(key, other);
    assert.deepEqual([reused.status, reused.body.code], [422, 'idempotency_key_reused'], key);
    assert.equal((await start(key, first)).body.executionId, started.body.executionId);
  }
});

it('a refusal by the failed runs of a day says that none is left until the day ends, also to those who read the headers only', async () => {
  const other = await startExecutionService({ failedRunsFree: 1 });
  try {
    const id = await other.addAgent();
    await other.query(`update partner_quota set failed_on = (now() at time zone 'UTC')::date, failed_free = 1000000`);
    const { status, headers, body } = await other.call('POST', `/workflows/${id}/trigger`, { as: 'owner', body: { input: CALL } });
    assert.deepEqual([status, headers['ratelimit-remaining']], [429, '0']);
    assert.deepEqual(
      [headers['ratelimit-reset'], headers['retry-after']],
      [String(body.retryAfterSeconds), String(body.retryAfterSeconds)],
    );
    assert.match(String(headers['ratelimit-limit']), /^\d+$/);
    assert.notEqual(headers['ratelimit-limit'], '1000', 'the limit is not that of all calls');
  } finally {
    await other.close();
  }
});
