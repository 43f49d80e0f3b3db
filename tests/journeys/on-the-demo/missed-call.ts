import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Client } from '@partner-portal/contract/client.ts';
import type { Routes } from '@partner-portal/contract/index.ts';
import { callbackToken } from '@partner-portal/core/execution/token.ts';
import { DEMO, ingestUrl, postJson, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { codeOf } from '../../harness/refusal-code.ts';
import { DEMO_PASSWORD, runSweep, type System, until } from '../../harness/system.ts';
import type { OnTheDemo } from './open.ts';

// The product's main flow, on the running product: a call is missed, a text goes out, the run reports, the meter counts once.

type Calls = Client<Routes>;
type RouteResponse = { status: number; body: { executionId?: string; code?: string; errors?: { field: string }[] } };

let system: System;
let workspace: Workspace;
let url: string;
let agentId: string;
const seats = {} as Record<'owner' | 'moderator' | 'clientUser', Calls>; // filled before the first test

async function post(event: Record<string, unknown>, headers: Record<string, string> = {}): Promise<RouteResponse> {
  return answerOf(
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(event) }),
  );
}

async function answerOf(response: Response): Promise<RouteResponse> {
  return { status: response.status, body: (await response.json()) as RouteResponse['body'] }; // the contract's answers to an event
}

const call = (caller: string) => ({ callerNumber: caller, businessNumber: DEMO.businessNumber });

/** Posts a missed call and waits for the end of its run. */
async function missCall(caller: string) {
  const { status, body } = await post(call(caller));
  assert.equal(status, 202);
  return ended(String(body.executionId));
}

function ended(id: string) {
  return until('the run has ended', async () => {
    const run = await seats.owner.getExecution({ params: { id } });
    return run.status !== 'RUNNING' && run;
  });
}

async function textsTo(number: string): Promise<URLSearchParams[]> {
  const { data } = await workspace.admin.listOutbox({ query: { provider: 'twilio', limit: 100 } });
  return data.map((sent) => new URLSearchParams(sent.body ?? '')).filter((text) => text.get('To') === number);
}

async function metered(executionId: string): Promise<{ kind: string; credits: number }[]> {
  return system.query('select kind, credits from usage_entry where execution_id = $1', [executionId]);
}

export function testMissedCall(open: () => OnTheDemo): void {
  before(async () => {
    ({ system, workspace } = open());
    agentId = workspace.workflowIds['missed-call-text-back'] ?? '';
    url = await ingestUrl(workspace.owner, agentId);
    for (const seat of ['owner', 'moderator', 'clientUser'] as const)
      seats[seat] = system.client(await system.login(DEMO[seat].email, DEMO_PASSWORD));
  });

  describe('a missed call', () => {
    const caller = '+13125550148';
    let runId: string;

    it('is answered 202 and ends as one text with the booking link and the way to opt out', async () => {
      const start = await seats.owner.getQuota();
      const run = await missCall(caller);
      runId = run.id;
      assert.deepEqual([run.status, run.source, run.error, run.creditsCharged], ['SUCCEEDED', 'ingest', null, 1]);
      assert.equal(run.summary, 'Texted +1 312 ··· 0148 after a missed call');
      const texts = await textsTo(caller);
      assert.equal(texts.length, 1);
      assert.equal(texts[0]?.get('From'), DEMO.businessNumber);
      assert.match(texts[0]?.get('Body') ?? '', /Oak Street Dental.*https:\/\/oakstreet\.example\/book.*STOP/);
      const end = await seats.owner.getQuota();
      assert.deepEqual([end.used - start.used, end.inFlight], [1, 0]);
    });

    it('is metered exactly once, also when reported again', async () => {
      assert.deepEqual(await metered(runId), [{ kind: 'run', credits: -1 }]);
      const token = callbackToken(system.settings()['AUTOMATION_CALLBACK_SECRET'] ?? '', runId);
      const report = () =>
        system.client().reportExecution({
          body: { executionId: runId, workflowId: agentId, status: 'FAILED', error: { message: 'again' } },
          headers: { 'x-callback-token': token },
        });
      const answers = await Promise.all([report(), report(), report()]);
      assert.deepEqual(
        answers.map((answer) => answer.applied),
        [false, false, false],
      );
      assert.deepEqual(await metered(runId), [{ kind: 'run', credits: -1 }]);
      assert.equal((await ended(runId)).status, 'SUCCEEDED');
      const { data } = await seats.owner.listLedger({ query: { limit: 100 } });
      assert.equal(data.filter((entry) => entry.executionId === runId).length, 1);
    });

    it('is shown to the agency with what came in, and to its moderator, who may not act on it', async () => {
      for (const seat of [seats.owner, seats.moderator]) {
        const run = await seat.getExecution({ params: { id: runId } });
        assert.equal(run.input?.['callerNumber'], caller);
        assert.deepEqual(
          run.steps.map((step) => [step.label, step.status]),
          [
            ['Check hours and repeats', 'succeeded'],
            ['Send text', 'succeeded'],
          ],
        );
      }
      assert.equal(await codeOf(seats.moderator.rerunExecution({ params: { id: runId } })), 'partner_role_forbidden');
      assert.equal(await codeOf(seats.moderator.pauseAgent({ params: { id: agentId } })), 'partner_role_forbidden');
    });

    it('is shown to the client as what it did for them, with the number masked and nothing technical', async () => {
      const run = await seats.clientUser.getExecution({ params: { id: runId } });
      assert.equal(run.status, 'SUCCEEDED');
      assert.ok(!JSON.stringify(run).includes(caller), 'the number is masked');
      const home = await seats.clientUser.getMyClientSummary();
      assert.ok(home.latest.some((row) => row.id === runId));
      assert.equal(home.results.find((result) => result.templateName === 'missed-call-text-back')?.phrase.includes('missed call'), true);
      assert.equal(await codeOf(seats.clientUser.listInboundEvents({ params: { id: agentId } })), 'role_forbidden');
      assert.equal(await codeOf(seats.clientUser.getIngestUrl({ params: { workflowId: agentId } })), 'role_forbidden');
    });

    it('is shown to staff, with the call that the provider received', async () => {
      const run = await workspace.admin.getExecution({ params: { id: runId } });
      assert.equal(run.partnerId, workspace.partnerId);
      const { data } = await workspace.admin.listExecutions({ query: { partnerId: workspace.partnerId } });
      assert.ok(data.some((row) => row.id === runId));
    });
  });

  describe('a second call', () => {
    it('of a number on the stop list gets no text, is marked as such and counts as an execution', async () => {
      const [opted, other] = ['+13125550171', '+13125550172'];
      await system.query('insert into opt_out (partner_id, client_id, contact) values ($1, null, $2)', [workspace.partnerId, opted]);
      const run = await missCall(opted);
      assert.equal(run.status, 'SUCCEEDED');
      assert.deepEqual(await textsTo(opted), []);
      assert.match(run.summary, /asked not to get texts/);
      await missCall(other);
      assert.equal((await textsTo(other)).length, 1);
    });

    it('within the set hours gets no second text; with the rule off, or from another caller, it does', async () => {
      const [caller, other] = ['+13125550173', '+13125550174'];
      const { config } = await seats.owner.getAgent({ params: { id: agentId } });
      await seats.owner.updateAgent({ params: { id: agentId }, body: { config: { ...config, repeatAfterHours: 12 } } });
      await missCall(caller);
      const second = await missCall(caller);
      assert.match(second.summary, /a short while ago/);
      assert.equal((await textsTo(caller)).length, 1);
      await missCall(other);
      assert.equal((await textsTo(other)).length, 1);
      await seats.owner.updateAgent({ params: { id: agentId }, body: { config: { ...config, repeatAfterHours: 0 } } });
      await missCall(caller);
      assert.equal((await textsTo(caller)).length, 2);
    });
  });

  describe('an event', () => {
    it('from a phone provider, as a form with its own names, runs as the same event', async () => {
      const body = new URLSearchParams({ From: '+13125550181', To: DEMO.businessNumber, CallSid: 'CA1' });
      const { status, body: answer } = await answerOf(await fetch(url, { method: 'POST', body }));
      assert.equal(status, 202);
      const run = await ended(String(answer.executionId));
      assert.deepEqual([run.status, run.input?.['callerNumber']], ['SUCCEEDED', '+13125550181']);
    });

    it('with the same Idempotency-Key is one run, also at once; with another key it is a second', async () => {
      const caller = '+13125550182';
      const key = { 'idempotency-key': 'call-182' };
      const answers = await Promise.all([post(call(caller), key), post(call(caller), key), post(call(caller), key)]);
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [202, 202, 202],
      );
      const ids = new Set(answers.map((answer) => answer.body.executionId));
      assert.equal(ids.size, 1);
      const other = await post(call(caller), { 'idempotency-key': 'call-182-b' });
      assert.ok(!ids.has(other.body.executionId));
      for (const id of [...ids, other.body.executionId]) await ended(String(id));
      assert.equal((await textsTo(caller)).length, 2);
    });

    it('without the number is refused by name and kept in the inbound log; nothing runs', async () => {
      const { status, body } = await post({ businessNumber: DEMO.businessNumber });
      assert.deepEqual([status, body.code], [422, 'missing_input']);
      const { data } = await seats.owner.listInboundEvents({ params: { id: agentId }, query: { outcome: 'refused' } });
      assert.equal(data[0]?.reason, 'missing_input');
    });

    it('whose number cannot receive texts ends as stopped and costs nothing; one that opted out at the provider is on the stop list', async () => {
      const reasonOf = ({ output }: { output?: unknown }) => (output as { reason?: string } | null)?.reason; // asserted by what follows
      const landline = await missCall('+15005550009');
      assert.deepEqual([landline.status, reasonOf(landline), landline.creditsCharged], ['SUCCEEDED', 'not_mobile', 0]);
      assert.deepEqual(await metered(landline.id), []);
      const optedOut = await missCall('+15005550004');
      assert.deepEqual([optedOut.status, reasonOf(optedOut)], ['SUCCEEDED', 'opted_out_at_provider']);
      const again = await missCall('+15005550004');
      assert.deepEqual([reasonOf(again), again.creditsCharged], ['on_stop_list', 0]);
    });

    it('whose text the provider refuses because of the account ends as FAILED in plain words and costs nothing; run again it is a run of its own', async () => {
      const run = await missCall('+15002160600');
      assert.deepEqual([run.status, run.error?.code, run.creditsCharged], ['FAILED', 'twilio_sender_rejected', 0]);
      assert.deepEqual(await metered(run.id), []);
      const again = await seats.owner.rerunExecution({ params: { id: run.id }, body: { input: call('+13125550183') } });
      const second = await ended(again.executionId);
      assert.deepEqual([second.status, second.rerunOf, second.source], ['SUCCEEDED', run.id, 'rerun']);
      assert.deepEqual(await metered(second.id), [{ kind: 'run', credits: -1 }]);
    });
  });

  describe('a run whose report is late', () => {
    it('is corrected once and metered once', async () => {
      // The flow's own report is kept away: this run exists for the engine no more.
      const [made] = await system.query<{ id: string }>(
        `insert into execution (id, partner_id, client_id, workflow_id, source, summary, template_version, credits_held, due_at)
         values (uuidv7(), $1, $2, $3, 'ingest', 'Running', 1, 1, now() - interval '1 second') returning id`,
        [workspace.partnerId, workspace.oakStreetId, agentId],
      );
      const id = made?.id ?? '';
      await system.query(
        `insert into execution_payload (id, partner_id, client_id, input) values ($1, $2, $3, '{"callerNumber":"+13125550184"}')`,
        [id, workspace.partnerId, workspace.oakStreetId],
      );
      await system.query('update partner_quota set in_flight = in_flight + 1 where partner_id = $1', [workspace.partnerId]);
      await runSweep(system, 'executions.timeout');
      const timedOut = await ended(id);
      assert.deepEqual([timedOut.status, timedOut.error?.code, timedOut.late], ['FAILED', 'timeout', false]);
      assert.deepEqual(await metered(id), []);
      assert.equal((await seats.owner.getQuota()).inFlight, 0);

      const headers = { 'x-callback-token': callbackToken(system.settings()['AUTOMATION_CALLBACK_SECRET'] ?? '', id) };
      const body = { executionId: id, workflowId: agentId, status: 'SUCCEEDED', output: { contacted: '+13125550184' } } as const;
      const answers = await Promise.all([1, 2, 3].map(() => system.client().reportExecution({ body, headers })));
      assert.equal(answers.filter((answer) => answer.applied).length, 1);
      const corrected = await seats.owner.getExecution({ params: { id } });
      assert.deepEqual([corrected.status, corrected.late], ['SUCCEEDED', true]);
      assert.deepEqual(await metered(id), [{ kind: 'run', credits: -1 }]);
      assert.equal((await seats.owner.getQuota()).inFlight, 0);
    });
  });

  describe('the end of the credits', () => {
    it('refuses the next event with 402 and runs nothing; one more credit admits one more event', async () => {
      const caller = '+13125550185';
      await system.query('update partner_quota set used = monthly_credits + purchased_credits where partner_id = $1', [
        workspace.partnerId,
      ]);
      const refused = await post(call(caller));
      assert.deepEqual([refused.status, refused.body.code], [402, 'quota_exceeded']);
      const { data } = await seats.owner.listInboundEvents({ params: { id: agentId }, query: { outcome: 'refused' } });
      assert.equal(data[0]?.reason, 'quota_exceeded');
      assert.deepEqual(await textsTo(caller), []);

      await system.query('update partner_quota set purchased_credits = purchased_credits + 1 where partner_id = $1', [workspace.partnerId]);
      const answers = await Promise.all([postJson(url, call(caller)), postJson(url, call(caller))]);
      assert.deepEqual(
        answers.map((answer) => answer.status).toSorted((a, b) => a - b),
        [202, 402],
      );
      await until('the last run has ended', async () => (await seats.owner.getQuota()).inFlight === 0);
      assert.equal((await textsTo(caller)).length, 1);
      const quota = await seats.owner.getQuota();
      assert.deepEqual([quota.used, quota.remaining], [quota.limit, 0]);
    });
  });
}
