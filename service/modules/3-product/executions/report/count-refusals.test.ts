import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { LIMITS, type ReportRefusal } from '@partner-portal/contract/vocabulary.ts';
import { callbackToken } from '@partner-portal/core/execution/token.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { readRefusals } from './store-refusals.ts';

let service: ExecutionService;
let workflowId: string;

before(async () => {
  service = await startExecutionService();
  workflowId = await service.addAgent({ name: 'Reports' });
});
after(() => service.close());
beforeEach(async () => {
  await service.executions.flushRefusals();
  await service.query('delete from report_refusal');
});

const tokenOf = (executionId: string): string => callbackToken(service.callbackSecret.reveal(), executionId);
const post = (body: unknown, token: string, from = service) =>
  from.call('POST', '/executions/webhook', {
    rawBody: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'x-callback-token': token },
  });
const stored = (now = new Date()) => service.db.asSystem('seed', (tx) => readRefusals(tx, now));
/** Returns the refusals since the last call, by reason. */
async function counted(): Promise<{ [reason in ReportRefusal]?: number }> {
  await service.executions.flushRefusals();
  return Object.fromEntries((await stored()).map(({ reason, reports }) => [reason, reports]));
}
async function dispatched(): Promise<string> {
  const { executionId } = (await service.ingest(workflowId, CALL)).body;
  await service.executions.dispatcher.runOnce();
  return executionId;
}

describe('a report that is not refused', () => {
  it('is not counted, nor is its repetition, nor one of a turn, which names no run', async () => {
    const executionId = await dispatched();
    const report = { executionId, workflowId, status: 'SUCCEEDED', output: {} };
    assert.deepEqual((await post(report, tokenOf(executionId))).body, { applied: true });
    assert.deepEqual((await post(report, tokenOf(executionId))).body, { applied: false });
    assert.equal((await post({ workflowId, status: 'SUCCEEDED' }, '')).status, 422);
    assert.deepEqual(await counted(), {});
  });
});

describe('a report that is refused', () => {
  const reasons: [ReportRefusal, () => Promise<{ status: number }>, number][] = [
    ['bad_token', () => post({ executionId: newId(), workflowId, status: 'SUCCEEDED' }, tokenOf(newId())), 401],
    [
      'unknown_run',
      () => {
        const executionId = newId();
        return post({ executionId, workflowId, status: 'SUCCEEDED' }, tokenOf(executionId));
      },
      404,
    ],
    [
      'unreadable',
      () => {
        const executionId = newId();
        return post(`{"executionId":"${executionId}","output":{`, tokenOf(executionId));
      },
      400,
    ],
    [
      'invalid',
      () => {
        const executionId = newId();
        return post({ executionId, workflowId, status: 'x' }, tokenOf(executionId));
      },
      422,
    ],
    [
      'too_large',
      () => {
        const executionId = newId();
        return post({ executionId, workflowId, output: 'x'.repeat(LIMITS.bodyBytesMax) }, tokenOf(executionId));
      },
      413,
    ],
  ];
  for (const [reason, refused, status] of reasons) {
    it(`as ${reason} is counted once, and shows after it was stored`, async () => {
      assert.equal((await refused()).status, status);
      assert.deepEqual(await stored(), [], 'a call that has proven nothing writes nothing');
      assert.deepEqual(await counted(), { [reason]: 1 });
      assert.deepEqual(await counted(), { [reason]: 1 }, 'stored once');
    });
  }

  it('because its agency’s reports fill their share is counted as unavailable, and the others are not counted', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 13; n += 1) ids.push((await service.ingest(workflowId, CALL)).body.executionId);
    await service.executions.dispatcher.runOnce();
    const locked = Promise.withResolvers<undefined>();
    const proceed = Promise.withResolvers<undefined>();
    const holding = service.db.asSystem('seed', async (tx) => {
      await sql`select from partner_quota where partner_id = ${service.world.partnerId} for update`.execute(tx);
      locked.resolve(undefined);
      await proceed.promise;
    });
    await locked.promise;
    const refused = Promise.withResolvers<undefined>();
    const reports = ids.map(async (executionId) => {
      const { status } = await post(
        { executionId, workflowId, status: 'SUCCEEDED', output: { text: 'x'.repeat(700_000) } },
        tokenOf(executionId),
      );
      if (status === 503) refused.resolve(undefined);
      return status;
    });
    await refused.promise;
    proceed.resolve(undefined);
    await holding;
    const statuses = await Promise.all(reports);
    assert.deepEqual(await counted(), { unavailable: statuses.filter((status) => status === 503).length });
  });

  it('of a process counts in addition to those of another', async () => {
    const other = await startExecutionService({ database: service.database, world: service.world });
    try {
      const wrong = () => ({ executionId: newId(), workflowId, status: 'SUCCEEDED' });
      await post(wrong(), 'wrong');
      await post(wrong(), 'wrong', other);
      await post(wrong(), 'wrong', other);
    } finally {
      // A process that ends stores what it has counted.
      await other.close();
    }
    assert.deepEqual(await counted(), { bad_token: 3 });
  });

  it('is counted in memory while the database cannot take it, and stored once it can', async () => {
    await service.query('alter table report_refusal rename to report_refusal_away');
    for (let call = 0; call < 2; call += 1) {
      await post({ executionId: newId(), workflowId, status: 'SUCCEEDED' }, 'wrong');
      await service.executions.flushRefusals();
    }
    await service.query('alter table report_refusal_away rename to report_refusal');
    assert.deepEqual(await counted(), { bad_token: 2 });
  });

  it('is one of as many rows as there are reasons, however often it comes, and is forgotten after a week', async () => {
    // Its minute begins here, so that it does not end in between.
    await service.limits.forget('badCallbackToken', '127.0.0.1');
    for (let call = 0; call < LIMITS.callerRequestsPerMinute + 50; call += 1)
      await post({ executionId: newId(), workflowId, status: 'SUCCEEDED' }, 'wrong');
    const { bad_token: wrong = 0, rate_limited: tooMany = 0 } = await counted();
    assert.ok(tooMany >= 50, 'beyond the limit of its address it is counted as such');
    assert.equal(wrong + tooMany, LIMITS.callerRequestsPerMinute + 50);
    // The hour may end in between.
    assert.ok((await service.query('select from report_refusal')).length <= 4);
    assert.deepEqual(await stored(new Date(Date.now() + 25 * 3_600_000)), [], 'a day later it shows no more');
    await service.query(`update report_refusal set hour = hour - interval '8 days'`);
    const forget = service.executions.crons.find(({ name }) => name === 'executions.forget-keys');
    await forget?.run({ signal: new AbortController().signal, log: service.log, attempt: 1 });
    assert.deepEqual(await service.query('select from report_refusal'), []);
  });
});
