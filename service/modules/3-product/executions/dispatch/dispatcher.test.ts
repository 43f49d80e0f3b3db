import assert from 'node:assert/strict';
import { afterEach, after, before, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { callbackToken } from '@partner-portal/core/execution/token.ts';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { releaseDelayedDispatches, settleDispatches } from './store-dispatch.ts';

let service: ExecutionService;

before(async () => {
  service = await startExecutionService();
});
after(() => service.close());
afterEach(async () => {
  service.engine.answer = () => 'accepted';
  service.engine.find = async () => null;
  service.engine.calls.length = 0;
  await service.query('delete from dispatch');
});

const agent = (flowId?: string): Promise<string> => service.addAgencyAgent(flowId ? { providerFlowId: flowId } : {});
const accept = (workflowId: string): Promise<string> => service.accept(workflowId);
const queued = async (id: string) =>
  (
    await service.query<{ attempts: number; misses: number; claimed: boolean; due_at: Date; due_in: number }>(
      'select attempts, misses, claimed_until is not null as claimed, due_at, extract(epoch from due_at - now())::float as due_in from dispatch where execution_id = $1',
      [id],
    )
  )[0];
const runOf = async (id: string) =>
  (await service.query<{ status: string; error_code: string | null }>('select status, error_code from execution where id = $1', [id]))[0];
const dbTime = async () => (await service.query<{ now: Date }>('select clock_timestamp() as now'))[0]?.now.getTime() ?? 0;
const due = (id: string) => service.query("update dispatch set due_at = now() - interval '1 second' where execution_id = $1", [id]);

describe('executions that end while the queue is settled', () => {
  /** Queues two executions; the older one is stored after the other, where a table scan finds it last. */
  async function twoQueued(): Promise<[string, string]> {
    const workflowId = await agent();
    const [older = '', newer = ''] = [await accept(workflowId), await accept(workflowId)].toSorted();
    await service.query("update dispatch set due_at = now() + interval '1 hour'");
    await service.query('update dispatch set attempts = 1 where execution_id = $1', [older]);
    return [older, newer];
  }
  const ACTS = {
    'some are removed and some scheduled again': ([older, newer]: [string, string]) =>
      settleDispatches(service.db, 'worker', [
        { executionId: newer, attempts: 0, step: { next: 'done' } },
        { executionId: older, attempts: 1, step: { next: 'again', waitMs: 1000, missed: false } },
      ]),
    'the engine is back': () => releaseDelayedDispatches(service.db, 10),
  };
  for (const [what, act] of Object.entries(ACTS)) {
    it(`are locked in the queue’s order when ${what}`, async () => {
      const ids = await twoQueued();
      const held = Promise.withResolvers<undefined>();
      const proceed = Promise.withResolvers<undefined>();
      // The end of executions removes them from the queue by id.
      const ending = service.db.asSystem('seed', async (tx) => {
        await tx.deleteFrom('dispatch').where('executionId', '=', ids[0]).execute();
        held.resolve(undefined);
        await proceed.promise;
        await tx.deleteFrom('dispatch').where('executionId', '=', ids[1]).execute();
      });
      await held.promise;
      const settling = act(ids);
      await until('the queue waits for the ending executions', async () => (await countLockWaits(service.database)) > 0);
      proceed.resolve(undefined);
      await Promise.all([ending, settling]);
      assert.deepEqual(await Promise.all(ids.map(queued)), [undefined, undefined]);
    });
  }
});

describe('when the engine is back', () => {
  it('delayed dispatches are due at once, in their order, except for flows the engine does not know', async () => {
    const workflowId = await agent();
    const ids = [await accept(workflowId), await accept(workflowId), await accept(workflowId), await accept(workflowId)];
    const [first = '', , , unknown = ''] = ids;
    service.engine.answer = () => 'unreachable';
    await service.executions.dispatcher.runOnce();
    // The oldest has the most attempts and so the longest wait.
    await service.query(
      `update dispatch d set due_at = now() + interval '2 hours' - place * interval '1 minute'
       from (select execution_id, row_number() over (order by created_at) as place from dispatch) as inOrder where d.execution_id = inOrder.execution_id`,
    );
    await service.query('update dispatch set misses = 1 where execution_id = $1', [unknown]);
    assert.equal(await service.executions.dispatcher.runOnce(), 0, 'nothing is due');

    const probe = await accept(workflowId);
    service.engine.answer = () => 'accepted';
    service.engine.calls.length = 0;
    await service.executions.dispatcher.runOnce();
    await service.executions.dispatcher.runOnce();
    assert.deepEqual(
      service.engine.calls.map((call) => call.body.executionId),
      [probe, first, ...ids.slice(1, 3)],
    );
    assert.ok(((await queued(unknown))?.due_in ?? 0) > 60);
  });

  it('is not concluded from an agent without a flow, for which it is not called', async () => {
    const id = await accept(await agent());
    service.engine.answer = () => 'unreachable';
    await service.executions.dispatcher.runOnce();
    await service.query("update dispatch set due_at = now() + interval '1 hour'");
    const removed = await agent();
    const other = await accept(removed);
    await service.query('update workflow set provider_flow_id = null where id = $1', [removed]);
    await service.executions.dispatcher.runOnce();
    assert.equal((await queued(other))?.misses, 1);
    assert.ok(((await queued(id))?.due_in ?? 0) > 60);
  });

  it('is found by the oldest run that the engine can take, not by one of an agent that has no flow while it is set up', async () => {
    const inSetup = await agent();
    const older = await accept(inSetup);
    await service.query(
      `insert into automation_instance (partner_id, provider, status, tenancy_mode) select partner_id, 'activepieces', 'provisioning', 'shared' from workflow where id = $1`,
      [inSetup],
    );
    await service.query('update workflow set provider_flow_id = null where id = $1', [inSetup]);
    const id = await accept(await agent());
    service.engine.answer = () => 'unreachable';
    await service.executions.dispatcher.runOnce();
    await service.query("update dispatch set due_at = now() + interval '1 hour'");
    service.engine.answer = () => 'accepted';
    service.engine.calls.length = 0;
    await service.executions.dispatcher.recoverExpired();
    await service.executions.dispatcher.runOnce();
    assert.deepEqual(
      service.engine.calls.map((call) => call.body.executionId),
      [id],
    );
    assert.ok(((await queued(older))?.due_in ?? 0) > 60);
  });
});

describe('a dispatch', () => {
  it('contains the event, the settings with defaults, the client, the facts and the execution’s callback token', async () => {
    const workflowId = await service.addAgent();
    await service.query(`update workflow set config = '{"repeatAfterHours": 5, "message": "Guten Tag"}' where id = $1`, [workflowId]);
    await service.query("update client set locale = 'de' where id = $1", [service.world.clientId]);
    const id = await accept(workflowId);
    assert.equal(await service.executions.dispatcher.runOnce(), 1);
    const body = service.engine.calls[0]?.body;
    assert.equal(body?.executionId, id);
    assert.equal(body?.workflowId, workflowId);
    assert.equal(body?.callbackToken, callbackToken(service.callbackSecret.reveal(), id));
    assert.deepEqual(body?.input, CALL);
    assert.equal(body?.config['repeatAfterHours'], 5);
    assert.equal(body?.config['quietHours'], '21:00-08:00');
    assert.deepEqual(
      [body?.client['id'], body?.client['name'], body?.client['timezone'], body?.client['locale'], body?.client['ownerLocale']],
      [service.world.clientId, 'Oak Street Dental', 'America/Chicago', 'de', 'de'],
    );
    assert.deepEqual([body?.facts['onStopList'], body?.facts['lastContactAt']], [false, null]);
    assert.equal(await queued(id), undefined);
  });

  it('names the language of the client for its owner, also while the texts for its customers are English', async () => {
    const workflowId = await service.addAgent({ templateName: 'lead-qualifier' });
    await service.query("update client set locale = 'de' where id = $1", [service.world.clientId]);
    await service.ingest(workflowId, { leadName: 'Ada', message: 'A new roof' });
    await service.executions.dispatcher.runOnce();
    const client = service.engine.calls[0]?.body.client;
    assert.deepEqual([client?.['locale'], client?.['ownerLocale']], ['en', 'de']);
  });

  it('of an agent of the agency itself is in English', async () => {
    await accept(await agent());
    await service.executions.dispatcher.runOnce();
    assert.equal(service.engine.calls[0]?.body.client['locale'], 'en');
  });

  it('carries the name of the sender as a mail needs it: that of the settings, else the client’s, and no encoded word of either', async () => {
    const workflowId = await service.addAgent({ templateName: 'ai-email-triage' });
    const rename = (name: string) => service.query('update client set name = $2 where id = $1', [service.world.clientId, name]);
    const names = async (config: object): Promise<unknown[]> => {
      service.engine.calls.length = 0;
      await service.query('update workflow set config = $2 where id = $1', [workflowId, JSON.stringify(config)]);
      await service.ingest(workflowId, { fromEmail: 'ada@example.com', subject: 'Hello', text: 'Is it open?' });
      await service.executions.dispatcher.runOnce();
      const client = service.engine.calls[0]?.body.client;
      return [client?.['name'], client?.['mailName']];
    };
    await rename('Bergmann, Sons @ Wine; (Praxis)');
    assert.deepEqual(await names({}), ['Bergmann, Sons @ Wine; (Praxis)', '"Bergmann, Sons @ Wine; (Praxis)"']);
    assert.deepEqual(await names({ senderName: 'Söhne' }), ['Bergmann, Sons @ Wine; (Praxis)', '=?UTF-8?Q?S=C3=B6hne?=']);
    await rename('=?UTF-8?Q?Bank?=');
    assert.deepEqual(await names({}), ['=\u2060?UTF-8?Q?Bank?=', '=?UTF-8?Q?=3D=3FUTF-8=3FQ=3FBank=3F=3D?=']);
    await rename('Oak Street Dental');
  });

  it('backs off while the engine is down, and is never lost', async () => {
    service.engine.answer = () => 'unreachable';
    const id = await accept(await agent());
    for (const [attempts, waitMs] of [
      [1, 500],
      [2, 1_000],
      [3, 2_000],
    ] as const) {
      await due(id);
      const before = await dbTime();
      await service.executions.dispatcher.runOnce();
      const after = await dbTime();
      const row = await queued(id);
      assert.deepEqual([row?.attempts, row?.claimed], [attempts, false]);
      const since = (row?.due_at.getTime() ?? 0) - waitMs;
      // The clock may be set back by some milliseconds in between; the next wait is twice as long.
      assert.ok(before - 200 <= since && since <= after + 200, `put off by ${waitMs} ms`);
    }
    assert.equal((await runOf(id))?.status, 'RUNNING');
    service.engine.answer = () => 'accepted';
    await due(id);
    await service.executions.dispatcher.runOnce();
    assert.equal(await queued(id), undefined);
  });

  it('to a flow that is not found is retried a few times, then the execution fails with dispatch_failed', async () => {
    service.engine.answer = () => 'not_found';
    const id = await accept(await agent());
    await service.executions.dispatcher.runOnce();
    assert.equal((await runOf(id))?.status, 'RUNNING');
    for (let n = 0; n < 6; n += 1) {
      await due(id);
      await service.executions.dispatcher.runOnce();
    }
    assert.deepEqual(await runOf(id), { status: 'FAILED', error_code: 'dispatch_failed' });
    assert.equal(await queued(id), undefined);
  });

  it('to a flow that was deleted goes to the one that has taken its place', async () => {
    const workflowId = await agent();
    service.engine.answer = () => 'gone';
    const id = await accept(workflowId);
    await service.executions.dispatcher.runOnce();
    assert.equal((await runOf(id))?.status, 'RUNNING');
    service.engine.answer = (flowId) => (flowId === 'flow-anew' ? 'accepted' : 'gone');
    await service.query("update workflow set provider_flow_id = 'flow-anew' where id = $1", [workflowId]);
    await due(id);
    await service.executions.dispatcher.runOnce();
    assert.equal(await queued(id), undefined);
    assert.equal((await runOf(id))?.status, 'RUNNING');
  });

  it('that is refused fails the execution at once, finally', async () => {
    service.engine.answer = () => 'refused';
    const id = await accept(await agent());
    await service.executions.dispatcher.runOnce();
    assert.deepEqual(await runOf(id), { status: 'FAILED', error_code: 'dispatch_failed' });
    assert.equal((await service.report(id, { status: 'SUCCEEDED' })).body.applied, false);
    assert.deepEqual(await runOf(id), { status: 'FAILED', error_code: 'dispatch_failed' });
  });

  it('is claimed by one of two dispatchers', async () => {
    const workflowId = await agent();
    const ids = await Promise.all(Array.from({ length: 20 }, () => accept(workflowId)));
    await Promise.all([service.executions.dispatcher.runOnce(), service.executions.dispatcher.runOnce()]);
    await service.executions.dispatcher.runOnce();
    const sent = service.engine.calls.map((call) => call.body.executionId);
    assert.equal(sent.length, new Set(sent).size);
    assert.deepEqual(sent.toSorted(), ids.toSorted());
  });

  it('is not taken back while another claim of this process waits for its response', async () => {
    const released: string[] = [];
    const stop = service.db.onStatement(({ text }) => void (text.includes('release_unknown_claims') && released.push(text)));
    const claims = await Promise.all([service.executions.dispatcher.runOnce(), service.executions.dispatcher.runOnce()]);
    stop();
    assert.deepEqual([claims, released], [[0, 0], []]);
  });

  it('of one partner waits for at most a share of another’s burst', async () => {
    const [busy, calm] = [await agent(), await agent()];
    await Promise.all(Array.from({ length: 50 }, () => accept(busy)));
    const id = await accept(calm);
    await service.executions.dispatcher.runOnce();
    const at = service.engine.calls.findIndex((call) => call.body.executionId === id);
    assert.ok(at >= 0 && at <= 16, `position ${at}`);
  });

  it('of one partner waits for no more behind a burst of five hundred over many agents', async () => {
    const [first, calm] = [await agent(), await agent()];
    const [busy] = await service.query<{ partnerId: string }>('select partner_id as "partnerId" from workflow where id = $1', [first]);
    const agents = await service.db.asSystem('seed', (tx) =>
      Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          addWorkflow(tx, { partnerId: busy?.partnerId ?? '', clientId: null, templateName: `of-the-burst-${n}` }),
        ),
      ),
    );
    // Inserted directly: an ingest URL accepts sixty a minute.
    await service.query(
      `insert into dispatch (execution_id, partner_id, workflow_id)
       select uuidv7(), $1, ($2::uuid[])[1 + n % 10] from generate_series(1, 500) n`,
      [busy?.partnerId, agents],
    );
    const id = await accept(calm);
    await service.executions.dispatcher.runOnce();
    assert.equal((await queued(id))?.claimed ?? 'sent', 'sent', 'the calm agency’s event went out in the first turn');
    const [left] = await service.query<{ waiting: number }>('select count(*)::int as waiting from dispatch where claimed_until is null');
    assert.ok((left?.waiting ?? 0) > 0, 'while most of the burst still waits');
  });
});

describe('a claim whose worker was suspended', () => {
  it('is not sent when its lease could expire during the call; another worker reconciles it', async () => {
    const id = await accept(await agent());
    const { now } = service.clock;
    const stops = [0, 13_000];
    service.clock.now = () => new Date(now().getTime() + (stops.shift() ?? 13_000));
    try {
      await service.executions.dispatcher.runOnce();
    } finally {
      service.clock.now = now;
    }
    assert.equal(service.engine.calls.length, 0);
    assert.equal((await queued(id))?.claimed, true);
    await service.query("update dispatch set claimed_until = now() - interval '1 second' where execution_id = $1", [id]);
    assert.equal(await service.executions.dispatcher.recoverExpired(), 1);
    await service.executions.dispatcher.runOnce();
    assert.equal(service.engine.calls.length, 1);
  });
});

describe('large events', () => {
  const sizes = async (workflowId: string, count: number, bytes: number): Promise<string[]> => {
    const event = { ...CALL, message: 'x'.repeat(bytes - JSON.stringify({ ...CALL, message: '' }).length) };
    return Promise.all(Array.from({ length: count }, async () => (await service.ingest(workflowId, event)).body.executionId));
  };

  it('of one agency are held within its share of bytes, of all within the total, while small ones of others pass', async () => {
    const heavy = [];
    for (let agency = 0; agency < 6; agency += 1) heavy.push(await agent(`heavy-${agency}`));
    for (const workflowId of heavy) assert.equal((await sizes(workflowId, 6, LIMITS.eventBytesMax)).length, 6);
    const small = await agent('small');
    const last = await accept(small);
    const proceed = Promise.withResolvers<undefined>();
    const answer = service.engine.dispatch;
    service.engine.dispatch = async (...call) => {
      const outcome = await answer(...call);
      await proceed.promise;
      return outcome;
    };
    try {
      const round = service.executions.dispatcher.runOnce();
      await until('the small event is sent', async () => service.engine.calls.some((call) => call.body.executionId === last));
      await until('all of the claim are sent', async () => service.engine.calls.length === 17);
      const held = await service.query<{ partner_id: string; bytes: number }>(
        'select partner_id, sum(bytes)::int as bytes from dispatch where claimed_until is not null group by partner_id',
      );
      assert.ok(held.every((one) => one.bytes <= 1024 * 1024));
      assert.equal(held.length, 7, 'every agency has its turn');
      assert.ok(held.reduce((sum, one) => sum + one.bytes, 0) <= 4 * 1024 * 1024 + 16_384);
      // The bytes held leave no room for another large one; a small one still passes.
      const later = await accept(small);
      const second = service.executions.dispatcher.runOnce();
      await until('the later small event is sent', async () => service.engine.calls.some((call) => call.body.executionId === later));
      assert.equal(service.engine.calls.filter((call) => call.flowId.startsWith('heavy')).length, 16);
      proceed.resolve(undefined);
      await Promise.all([round, second]);
    } finally {
      proceed.resolve(undefined);
      service.engine.dispatch = answer;
    }
    while ((await service.executions.dispatcher.runOnce()) > 0);
    assert.equal(service.engine.calls.filter((call) => call.flowId.startsWith('heavy')).length, 36);
    assert.equal((await service.query('select from dispatch')).length, 0);
  });
});

describe('the running dispatcher', () => {
  it('dispatches an execution as soon as it is accepted', async () => {
    const workflowId = await agent();
    const given = Promise.withResolvers<string>();
    service.engine.answer = (flowId) => {
      given.resolve(flowId);
      return 'accepted';
    };
    service.executions.start();
    const id = await accept(workflowId);
    await given.promise;
    assert.equal(service.engine.calls.at(-1)?.body.executionId, id);
  });
});
