import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callbackToken } from '@partner-portal/core/execution/token.ts';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { measuredDuring } from '@partner-portal/tests/harness/measured.ts';
import { addPartner, addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { type RawBuilder, sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createFinisher } from './finish.ts';
import { finishExecutions } from './finish-batch.ts';
import type { StatementName, TypedStatement } from '#platform/db/statements.ts';

let service: ExecutionService;
let agencies = 0;

before(async () => {
  service = await startExecutionService();
});
after(() => service.close());

type Run = {
  status: string;
  summary: string;
  error_code: string | null;
  error_message: string | null;
  error_step: string | null;
  credits_charged: number;
  late: boolean;
  finished_at: Date | null;
};
const run = async (id: string) => (await service.query<Run>('select * from execution where id = $1', [id]))[0];
const meter = async (partnerId: string) =>
  (
    await service.query<{ used: number; in_flight: number; highest_threshold: number }>(
      'select used, in_flight, highest_threshold from partner_quota where partner_id = $1',
      [partnerId],
    )
  )[0];
const entries = (id: string) =>
  service.query<{ kind: string; credits: number }>('select kind, credits from usage_entry where execution_id = $1 order by kind', [id]);
const hours = async (workflowId: string) =>
  (
    await service.query<{ succeeded: number; failed: number; credits: number; contacted: number; helped: number }>(
      'select sum(succeeded)::int as succeeded, sum(failed)::int as failed, sum(credits)::int as credits, sum(contacted)::int as contacted, sum(helped)::int as helped from workflow_hour where workflow_id = $1',
      [workflowId],
    )
  )[0];

/** Creates a partner with one agent and a dispatched execution. */
async function dispatched(
  options: { credits?: number; creditsPerRun?: number; templateName?: string; input?: object } = {},
): Promise<{ id: string; workflowId: string; partnerId: string }> {
  const slug = `agency-${(agencies += 1)}`;
  const { partnerId, workflowId } = await service.db.asSystem('seed', async (tx) => {
    const partner = await addPartner(tx, { name: slug, slug, planId: service.world.planId, credits: options.credits ?? 100 });
    return {
      partnerId: partner,
      workflowId: await addWorkflow(tx, {
        partnerId: partner,
        clientId: null,
        templateName: options.templateName ?? 'missed-call-text-back',
      }),
    };
  });
  if (options.creditsPerRun)
    await service.query('update workflow set credits_per_run = $2 where id = $1', [workflowId, options.creditsPerRun]);
  const reply = await service.ingest(workflowId, options.input ?? CALL);
  assert.equal(reply.status, 202);
  await service.executions.dispatcher.runOnce();
  return { id: reply.body.executionId, workflowId, partnerId };
}

/** A finisher whose first response is lost after the commit, and the executions it published. */
function finisherLosingOnce() {
  let isLost = false;
  const db: typeof service.db = {
    ...service.db,
    call: (async (statement: TypedStatement<StatementName>) => {
      const rows = await service.db.call(statement);
      if (statement.name !== 'finish_executions' || isLost) return rows;
      isLost = true;
      throw new Error('Connection terminated unexpectedly');
    }) as typeof service.db.call, // rows pass through unchanged
  };
  const published: string[] = [];
  const publisher = { changed: (_partnerId: string, executionId: string) => void published.push(executionId), ended: () => undefined };
  return { published, finisher: createFinisher({ db, publisher, templateOf: () => undefined, factsOf: async () => undefined }) };
}

describe('a report', () => {
  it('ends the execution, meters it once, frees the credits it held and sets the summary', async () => {
    const { id, workflowId, partnerId } = await dispatched({ creditsPerRun: 3 });
    assert.deepEqual(await meter(partnerId), { used: 0, in_flight: 3, highest_threshold: 0 });
    const reply = await service.report(id, {
      status: 'SUCCEEDED',
      output: { contacted: '+13125550121' },
      steps: [{ name: 'send_text', status: 'succeeded', output: { sid: 'SM1' } }],
    });
    assert.deepEqual([reply.status, reply.body], [200, { applied: true }]);
    const ended = await run(id);
    assert.equal(ended?.status, 'SUCCEEDED');
    assert.equal(ended?.summary, 'Texted +1 312 ··· 0121 after a missed call');
    assert.ok(ended?.finished_at);
    assert.deepEqual(await meter(partnerId), { used: 3, in_flight: 0, highest_threshold: 0 });
    assert.deepEqual(await entries(id), [{ kind: 'run', credits: -3 }]);
    assert.deepEqual(await hours(workflowId), { succeeded: 1, failed: 0, credits: 3, contacted: 1, helped: 1 });
  });

  it('that is repeated changes nothing and gets 200', async () => {
    const { id, partnerId } = await dispatched();
    await service.report(id, { status: 'SUCCEEDED' });
    const again = await service.report(id, { status: 'FAILED', error: { message: 'no' } });
    assert.deepEqual([again.status, again.body], [200, { applied: false }]);
    assert.equal((await run(id))?.status, 'SUCCEEDED');
    assert.deepEqual(await meter(partnerId), { used: 1, in_flight: 0, highest_threshold: 0 });
  });

  it('that is sent thirty times concurrently meters once', async () => {
    const { id, partnerId, workflowId } = await dispatched();
    let replies: Awaited<ReturnType<typeof service.report>>[] = [];
    const measured = await measuredDuring('portal_runs_ended_total', async () => {
      replies = await Promise.all(Array.from({ length: 30 }, () => service.report(id, { status: 'SUCCEEDED' })));
    });
    assert.deepEqual(measured, ['SUCCEEDED reported']);
    assert.equal(replies.filter((reply) => reply.body.applied).length, 1);
    assert.deepEqual(await entries(id), [{ kind: 'run', credits: -1 }]);
    assert.deepEqual(await meter(partnerId), { used: 1, in_flight: 0, highest_threshold: 0 });
    assert.equal((await hours(workflowId))?.succeeded, 1);
  });

  it('of a failure costs no credit and stores no stack, path, key or address', async () => {
    const { id, partnerId, workflowId } = await dispatched();
    const message =
      'Request to http://127.0.0.1:4100/v1 failed with Bearer sk-live-abc123def456ghi789jkl\n    at /srv/app/engine/worker.js:10:5';
    await service.report(id, { status: 'FAILED', error: { code: 'twilio_key_refused', message, stepName: 'send_text' } });
    const ended = await run(id);
    assert.deepEqual(
      [ended?.status, ended?.error_code, ended?.error_step, ended?.credits_charged],
      ['FAILED', 'twilio_key_refused', 'send_text', 0],
    );
    assert.doesNotMatch(ended?.error_message ?? '', /127\.0|sk-live|worker\.js|\n/);
    assert.deepEqual(await meter(partnerId), { used: 0, in_flight: 0, highest_threshold: 0 });
    assert.equal((await hours(workflowId))?.failed, 1);
    const [workflow] = await service.query<{ consecutive_failures: number }>('select consecutive_failures from workflow where id = $1', [
      workflowId,
    ]);
    assert.equal(workflow?.consecutive_failures, 1);
  });

  it('counts AI tokens on a platform key, also of a failed execution, and none on the partner’s own', async () => {
    for (const [mode, credits] of [
      ['platform', 3],
      ['byok', 0],
    ] as const) {
      const { id, partnerId } = await dispatched({
        templateName: 'ai-faq-reply',
        input: { from: '+13125550121', to: '+13125550100', body: 'Hi' },
      });
      await service.query(
        `insert into engine_connection (partner_id, provider, external_id, project_id, source_mode, status) values ($1, 'openai', $2, 'project', $3, 'live')`,
        [partnerId, `c_${partnerId}`, mode],
      );
      await service.report(id, {
        status: 'FAILED',
        error: { message: 'Twilio is down' },
        usage: { provider: 'openai', model: 'gpt', inputTokens: 2_001, outputTokens: 500 },
      });
      assert.deepEqual(await entries(id), credits ? [{ kind: 'ai_tokens', credits: -credits }] : []);
      assert.equal((await meter(partnerId))?.used, credits);
      assert.equal((await run(id))?.credits_charged, credits);
    }
  });

  it('without executionId is 422, with another execution’s token 401, of an unknown execution 404; nothing is stored', async () => {
    const { id, workflowId } = await dispatched();
    const token = callbackToken(service.callbackSecret.reveal(), id);
    const nameless = await service.call('POST', '/executions/webhook', {
      body: { workflowId, status: 'SUCCEEDED' },
      headers: { 'x-callback-token': token },
    });
    assert.deepEqual([nameless.status, nameless.body.code], [422, 'validation_failed']);
    const other = newId();
    const foreign = await service.call('POST', '/executions/webhook', {
      body: { executionId: other, workflowId, status: 'SUCCEEDED' },
      headers: { 'x-callback-token': token },
    });
    assert.deepEqual([foreign.status, foreign.body.code], [401, 'invalid_callback_token']);
    const missing = await service.call('POST', '/executions/webhook', { body: { executionId: id, workflowId, status: 'SUCCEEDED' } });
    assert.equal(missing.body.code, 'invalid_callback_token');
    const unknown = await service.call('POST', '/executions/webhook', {
      body: { executionId: other, workflowId, status: 'SUCCEEDED' },
      headers: { 'x-callback-token': callbackToken(service.callbackSecret.reveal(), other) },
    });
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'not_found']);
    assert.equal((await run(id))?.status, 'RUNNING');
    assert.equal((await service.report(id, { status: 'SUCCEEDED' })).body.applied, true);
  });

  it('ends the execution with any form of failure: a text only, no message, a message far too long, tokens of an unknown key', async () => {
    const failures: [unknown, string][] = [
      ['Twilio is down', 'Twilio is down'],
      [{ code: 'twilio_down' }, 'Twilio was not working and may have sent the message'],
      [{ code: 'something_new' }, 'Something went wrong in this step.'],
      [{ message: `Too long ${'word '.repeat(2_000)}`, stepName: 'x'.repeat(500) }, `${'Too long '.padEnd(299, 'word ')}…`],
    ];
    for (const [error, message] of failures) {
      const { id } = await dispatched();
      const steps = [{ name: 'send_text', status: 'failed', error: { message: 'No answer' } }];
      const reply = await service.report(id, { status: 'FAILED', error, steps, usage: { inputTokens: 10, outputTokens: 5 } });
      assert.deepEqual([reply.status, reply.body], [200, { applied: true }], reply.text);
      assert.deepEqual([(await run(id))?.status, (await run(id))?.error_message], ['FAILED', message]);
      assert.deepEqual(await entries(id), [], 'no key, no credits');
      const shown = await service.call('GET', `/executions/${id}`, { as: 'staff' });
      assert.equal(shown.body.steps.find((step: { name: string }) => step.name === 'send_text').error, 'No answer');
    }
  });

  it('of another workflow’s execution changes nothing', async () => {
    const [one, two] = [await dispatched(), await dispatched()];
    const reply = await service.report(one.id, { status: 'SUCCEEDED', workflowId: two.workflowId });
    assert.equal(reply.status, 404);
    assert.equal((await run(one.id))?.status, 'RUNNING');
  });

  it('stores the contact and the opt-out, and the next dispatch contains both', async () => {
    const { id, workflowId } = await dispatched();
    await service.report(id, { status: 'SUCCEEDED', output: { contacted: '+13125550121', optOut: '+13125550121' } });
    const reply = await service.ingest(workflowId, CALL);
    await service.executions.dispatcher.runOnce();
    const facts = service.engine.calls.find((call) => call.body.executionId === reply.body.executionId)?.body.facts;
    assert.equal(facts?.['onStopList'], true);
    assert.ok(typeof facts?.['lastContactAt'] === 'string');
  });

  it('that is stored while its response is lost is published when the flow reports again', async () => {
    const { id: executionId, workflowId } = await dispatched();
    const { finisher, published } = finisherLosingOnce();
    const report = { executionId, workflowId, status: 'SUCCEEDED' } as const;
    await assert.rejects(finisher.report(report));
    assert.deepEqual([(await run(executionId))?.status, published], ['SUCCEEDED', []]);
    assert.equal((await finisher.report(report)).applied, false);
    assert.deepEqual(published, [executionId]);
  });

  it('that is missing ends the execution by timeout, which is published also when the response is lost', async () => {
    const { id: executionId, workflowId } = await dispatched();
    const { finisher, published } = finisherLosingOnce();
    const message = 'No report within 10 minutes';
    await finisher.fail({ executionId, workflowId, templateName: null, input: null, code: 'timeout', message });
    assert.deepEqual([(await run(executionId))?.error_code, published], ['timeout', [executionId]]);
  });

  it('does not count an execution that the agent skipped as help', async () => {
    const { id, workflowId } = await dispatched();
    await service.report(id, { status: 'SUCCEEDED', output: { skipped: true, reason: 'quiet_hours' } });
    const counted = await hours(workflowId);
    assert.deepEqual([counted?.succeeded, counted?.helped], [1, 0]);
  });

  it('does not count an execution that asked no customer as help', async () => {
    for (const [asked, helped] of [
      [false, 0],
      [true, 1],
    ] as const) {
      const { id, workflowId } = await dispatched();
      await service.report(id, { status: 'SUCCEEDED', output: { asked } });
      assert.equal((await hours(workflowId))?.helped, helped);
    }
  });

  it('takes at most twelve statements from event to end', async () => {
    const { workflowId } = await dispatched();
    await service.executions.flushNotices();
    const count = await service.countStatements(async () => {
      const reply = await service.ingest(workflowId, CALL);
      await service.executions.dispatcher.runOnce();
      await service.report(reply.body.executionId, { status: 'SUCCEEDED', output: { contacted: '+13125550121' } });
      await service.executions.flushNotices();
    });
    assert.ok(count <= 12, `${count} statements`);
  });
});

describe('the quota', () => {
  it('publishes each threshold once in a period', async () => {
    const { id, workflowId, partnerId } = await dispatched({ credits: 4 });
    const ids = [id];
    for (let n = 0; n < 3; n += 1) ids.push((await service.ingest(workflowId, CALL)).body.executionId);
    await service.executions.dispatcher.runOnce();
    for (const one of ids) await service.report(one, { status: 'SUCCEEDED' });
    const events = await service.query<{ percent: number; used: number; url: string }>(
      `select (data->>'thresholdPercent')::int as percent, (data->>'used')::int as used, data->>'portalUrl' as url from event where partner_id = $1 and type = 'usage.threshold_crossed' order by id`,
      [partnerId],
    );
    assert.deepEqual(
      events.map(({ percent, used }) => [percent, used]),
      [
        [50, 2],
        [80, 4],
        [100, 4],
      ],
    );
    assert.equal(events[0]?.url, `${service.baseUrl}/dashboard/usage`);
  });

  it('costs a report that crosses no threshold one statement outside any transaction', async () => {
    const { id } = await dispatched({ credits: 100 });
    const sent: string[] = [];
    const stop = service.db.onStatement(({ kind, name }) => void sent.push(name ?? kind));
    await service.report(id, { status: 'SUCCEEDED' });
    stop();
    assert.deepEqual(
      sent.filter((name) => name !== 'send_notices'),
      ['report_facts', 'finish_executions'],
    );
  });

  it('ends no execution whose threshold cannot be published, and both together later', async () => {
    const { id, partnerId } = await dispatched({ credits: 1 });
    const published = () => service.query(`select from event where partner_id = $1 and type = 'usage.threshold_crossed'`, [partnerId]);
    await service.query(`alter table event add constraint refused check (partner_id <> '${partnerId}') not valid`);
    try {
      assert.equal((await service.report(id, { status: 'SUCCEEDED' })).status, 500);
      assert.deepEqual([(await run(id))?.status, await meter(partnerId)], ['RUNNING', { used: 0, in_flight: 1, highest_threshold: 0 }]);
    } finally {
      await service.query('alter table event drop constraint refused');
    }
    assert.equal((await published()).length, 0);
    assert.equal((await service.report(id, { status: 'SUCCEEDED' })).body.applied, true);
    assert.deepEqual([(await run(id))?.status, await meter(partnerId)], ['SUCCEEDED', { used: 1, in_flight: 0, highest_threshold: 100 }]);
    assert.equal((await published()).length, 3);
  });
});

describe('the quota of a huge partner', () => {
  it('does not overflow', async () => {
    const { id, partnerId } = await dispatched({ credits: 2_000_000_000 });
    await service.query('update partner_quota set used = 1000000000 where partner_id = $1', [partnerId]);
    assert.equal((await service.report(id, { status: 'SUCCEEDED' })).status, 200);
    assert.deepEqual(await meter(partnerId), { used: 1_000_000_001, in_flight: 0, highest_threshold: 50 });
  });
});

describe('large reports of one agency that cannot be stored yet', () => {
  it('are held up to its share of bytes and stored 4 MiB at a time; more are 503 with a wait', async () => {
    const { id, workflowId, partnerId } = await dispatched({ credits: 100 });
    const ids = [id];
    for (let n = 0; n < 12; n += 1) ids.push((await service.ingest(workflowId, CALL)).body.executionId);
    await service.executions.dispatcher.runOnce();
    const locked = Promise.withResolvers<undefined>();
    const proceed = Promise.withResolvers<undefined>();
    const holding = service.db.asSystem('seed', async (tx) => {
      await sql`select from partner_quota where partner_id = ${partnerId} for update`.execute(tx);
      locked.resolve(undefined);
      await proceed.promise;
    });
    await locked.promise;
    let statements = 0;
    const stop = service.db.onStatement(({ name }) => void (statements += Number(name === 'finish_executions')));
    const output = { text: 'x'.repeat(700_000) };
    const refused = Promise.withResolvers<undefined>();
    let busy = 0;
    const reports = ids.map(async (one) => {
      const reply = await service.report(one, { status: 'SUCCEEDED', output });
      // Both, before the first report that is stored makes room.
      if (reply.status === 503 && (busy += 1) === 2) refused.resolve(undefined);
      return { one, reply };
    });
    await refused.promise;
    proceed.resolve(undefined);
    await holding;
    const replies = await Promise.all(reports);
    stop();
    const again = replies.filter(({ reply }) => reply.status === 503);
    assert.deepEqual([replies.filter(({ reply }) => reply.status === 200).length, again.length], [11, 2]);
    assert.equal(again[0]?.reply.headers['retry-after'], '1');
    assert.ok(statements >= 3, `7.7 MB in ${statements} statements`);
    for (const { one } of again) assert.deepEqual((await service.report(one, { status: 'SUCCEEDED', output })).body, { applied: true });
  });
});

describe('the timeout job', () => {
  const expire = async (id: string, minutes = 10): Promise<void> => {
    const since = `${minutes} minutes 1 second`;
    await service.query(`update execution set due_at = now() - interval '1 second', started_at = now() - $2::interval where id = $1`, [
      id,
      since,
    ]);
    await service.query('update under_way set handed_at = now() - $2::interval where execution_id = $1', [id, since]);
  };

  it('fails an execution without a report with timeout and frees the credits it held', async () => {
    const { id, partnerId } = await dispatched();
    await expire(id);
    assert.equal(await service.executions.endOverdue(), 1);
    const ended = await run(id);
    assert.deepEqual([ended?.status, ended?.error_code, ended?.error_message], ['FAILED', 'timeout', 'No report within 10 minutes']);
    assert.deepEqual(await meter(partnerId), { used: 0, in_flight: 0, highest_threshold: 0 });
    assert.equal(await service.executions.endOverdue(), 0);
  });

  it('removes an execution from the queue that the engine never accepted', async () => {
    service.engine.answer = () => 'unreachable';
    const { id } = await dispatched();
    service.engine.answer = () => 'accepted';
    assert.equal((await service.query('select 1 from dispatch where execution_id = $1', [id])).length, 1);
    await expire(id, 60);
    await service.executions.endOverdue();
    assert.equal((await service.query('select 1 from dispatch where execution_id = $1', [id])).length, 0);
  });

  it('is corrected once by a late report, which is marked and metered', async () => {
    const { id, partnerId, workflowId } = await dispatched();
    await expire(id);
    await service.executions.endOverdue();
    const answers = await Promise.all([1, 2, 3].map(() => service.report(id, { status: 'SUCCEEDED', output: {} })));
    assert.equal(answers.filter(({ body }) => body.applied).length, 1);
    const ended = await run(id);
    assert.deepEqual([ended?.status, ended?.late, ended?.error_code], ['SUCCEEDED', true, null]);
    assert.deepEqual(await meter(partnerId), { used: 1, in_flight: 0, highest_threshold: 0 });
    assert.deepEqual(await hours(workflowId), { succeeded: 1, failed: 0, credits: 1, contacted: 0, helped: 1 });
    assert.equal((await service.report(id, { status: 'FAILED', error: { message: 'x' } })).body.applied, false);
  });

  it('never changes an execution that a reported failure has ended', async () => {
    const { id } = await dispatched();
    await service.report(id, { status: 'FAILED', error: { code: 'twilio_down', message: 'Twilio is down' } });
    const [result] = await finishExecutions(
      service.db,
      [
        {
          executionId: id,
          workflowId:
            (await service.query<{ workflow_id: string }>('select workflow_id from execution where id = $1', [id]))[0]?.workflow_id ?? '',
          status: 'FAILED',
          summary: null,
          output: null,
          steps: null,
          error: { code: 'timeout', message: 'x', stepName: null },
          contact: null,
          optOut: null,
          aiCredits: 0,
        },
      ],
      { fromTimeout: true },
    );
    assert.equal(result?.applied, false);
    assert.equal((await service.report(id, { status: 'SUCCEEDED' })).body.applied, false);
    assert.equal((await run(id))?.error_code, 'twilio_down');
  });
});

describe('executions that end in one batch while another batch ends others', () => {
  type Ran = { id: string; workflowId: string };
  const finish = (runs: readonly Ran[], optOuts: readonly string[] = []) =>
    finishExecutions(
      service.db,
      runs.map(({ id, workflowId }, n) => ({
        executionId: id,
        workflowId,
        status: 'SUCCEEDED' as const,
        summary: null,
        output: null,
        steps: null,
        error: null,
        contact: null,
        optOut: optOuts[n] ?? null,
        aiCredits: 0,
      })),
      { fromTimeout: false },
    );

  /** Runs another batch that locks the first, waits until this batch waits for it, and locks the second. */
  async function meet(first: RawBuilder<unknown>, second: RawBuilder<unknown>, batch: () => ReturnType<typeof finish>): Promise<void> {
    const held = Promise.withResolvers<undefined>();
    const proceed = Promise.withResolvers<undefined>();
    const other = service.db.asSystem('seed', async (tx) => {
      await first.execute(tx);
      held.resolve(undefined);
      await proceed.promise;
      await second.execute(tx);
    });
    await held.promise;
    const ending = batch();
    await until('the batch waits for the other', async () => (await countLockWaits(service.database)) > 0);
    proceed.resolve(undefined);
    const [results] = await Promise.all([ending, other]);
    assert.ok(results.every((result) => result.applied));
  }

  it('lock quotas in one order, also when the period of one has ended', async () => {
    const runs = [await dispatched(), await dispatched()].toSorted((a, b) => (a.partnerId < b.partnerId ? -1 : 1));
    const [one = '', two = ''] = runs.map((run) => run.partnerId);
    await service.query(
      "update partner_quota set period_start = now() - interval '40 days', period_end = now() - interval '10 days' where partner_id = $1",
      [two],
    );
    const take = (partnerId: string) => sql`select from partner_quota where partner_id = ${partnerId} for update`;
    await meet(take(one), take(two), () => finish(runs));
    assert.deepEqual(await meter(two), { used: 1, in_flight: 0, highest_threshold: 0 });
  });

  it('store opt-outs in one order', async () => {
    const { partnerId, workflowId } = await dispatched();
    // Many, so that any other order hardly ever starts with the smallest.
    const numbers = Array.from({ length: 40 }, (_, n) => `+131255501${10 + n}`);
    const replies = await Promise.all(numbers.map(() => service.ingest(workflowId, CALL)));
    const runs = replies.map((reply) => ({ id: reply.body.executionId, workflowId }));
    const write = (contacts: readonly string[]) =>
      sql`insert into opt_out (partner_id, contact) select ${partnerId}::uuid, x from unnest(${contacts}::text[]) x order by 2`;
    await meet(write(numbers.slice(0, 1)), write(numbers.slice(1)), () => finish(runs, numbers));
  });
});
