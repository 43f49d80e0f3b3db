import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DEMO, ingestUrl, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { attributeOf, type CollectedSpan, type Collector } from '../../harness/collector.ts';
import type { Receiver } from '../../harness/deliveries.ts';
import { type System, until } from '../../harness/system.ts';
import type { OnTheDemo } from './open.ts';

// One event as one trace, from its arrival to the webhook that it causes, in two processes. Until here nothing listened at the collector's address.

export const COLLECTOR_TOKEN = 'collector-token-7f3a';
/** A span of the sender, which anyone can make up. */
const SENDER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const CALLER = '+13125550177';
const TEMPLATE = 'missed-call-text-back';

let system: System;
let workspace: Workspace;
let receiver: Receiver;
let collector: Collector;
let endpointId: string;
let executionId: string;
let traceId: string;
let spans: CollectedSpan[];
let steps: string[];

const named = (name: string): CollectedSpan => {
  const found = spans.filter((span) => span.name === name);
  assert.equal(found.length, 1, `${name}: ${found.length} of ${spans.map((span) => span.name).join(', ')}`);
  return found[0] ?? assert.fail();
};
const linesLost = (): number => system.log().split('the trace collector took no spans').length - 1;

export function testTraces(open: () => OnTheDemo): void {
  before(async () => {
    ({ system, workspace, receiver, collector } = open());
  });
  after(async () => {
    if (endpointId) await workspace.owner.deleteWebhook({ params: { id: endpointId } });
  });

  describe('a collector that is away', () => {
    it('costs no run, and one line of the log a minute', async () => {
      const lines = await until('a lost batch is noted', () => linesLost() > 0 && linesLost());
      const [first] = await system.query<{ minutes: number; runs: number }>(
        `select ceil(extract(epoch from now() - min(started_at)) / 60)::int as minutes, count(*) filter (where status = 'SUCCEEDED')::int as runs from execution`,
      );
      assert.ok(first !== undefined && first.runs > 0);
      assert.ok(lines <= first.minutes + 1, `${lines} lines in ${first.minutes} minutes`);
      assert.doesNotMatch(system.log(), new RegExp(COLLECTOR_TOKEN));
    });
  });

  describe('an event', () => {
    before(async () => {
      await collector.open();
      ({ id: endpointId } = await workspace.owner.createWebhook({ body: { url: receiver.url } }));
      await system.query(
        'update partner_quota set used = monthly_credits / 2 - 1, purchased_credits = 0, highest_threshold = 0 where partner_id = $1',
        [workspace.partnerId],
      );
      const response = await fetch(await ingestUrl(workspace.owner, workspace.workflowIds[TEMPLATE]), {
        method: 'POST',
        headers: { 'content-type': 'application/json', traceparent: `00-${SENDER.traceId}-${SENDER.spanId}-01` },
        body: JSON.stringify({ callerNumber: CALLER, businessNumber: DEMO.businessNumber }),
      });
      assert.equal(response.status, 202);
      ({ executionId } = (await response.json()) as { executionId: string }); // the contract's answer to an accepted event
      traceId = executionId.replaceAll('-', '');
      const run = await until('the run has ended', async () => {
        const read = await workspace.owner.getExecution({ params: { id: executionId } });
        return read.status === 'SUCCEEDED' && read;
      });
      steps = run.steps.filter(({ status }) => status !== 'skipped').map(({ name }) => `step ${name}`);
      spans = await until('all of it has been traced', () => {
        const found = collector.spans().filter((span) => span.traceId === traceId);
        const flow = found.find(({ name }) => name === 'run flow');
        const isComplete =
          flow !== undefined &&
          found.filter(({ name }) => name.startsWith('step ')).length === attributeOf(flow, 'portal.run.steps') &&
          ['accept event', 'dispatch run', 'report run', 'react to usage.threshold_crossed', 'attempt webhook'].every((name) =>
            found.some((span) => span.name === name),
          );
        return isComplete && found;
      });
    });

    it('is one trace, from its arrival over each step of the engine to the webhook that it causes', () => {
      const [accept, dispatch, flow, report, react] = [
        named('accept event'),
        named('dispatch run'),
        named('run flow'),
        named('report run'),
        named('react to usage.threshold_crossed'),
      ];
      assert.equal(accept.parentSpanId, undefined);
      assert.deepEqual(
        [dispatch, flow, report, react].map((span) => span.parentSpanId),
        [accept.spanId, dispatch.spanId, accept.spanId, report.spanId],
      );
      assert.ok(steps.length >= 2, steps.join(', '));
      for (const name of steps) named(name);
      // Also those that its page does not list, such as the report.
      for (const span of spans.filter(({ name }) => name.startsWith('step '))) assert.equal(span.parentSpanId, flow.spanId, span.name);
      const attempts = spans.filter((span) => span.name === 'attempt webhook');
      assert.ok(attempts.every((span) => span.parentSpanId === react.spanId && attributeOf(span, 'http.response.status_code') === 200));
      assert.equal(new Set(spans.map((span) => span.spanId)).size, spans.length);
      assert.ok(spans.every((span) => BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)));
    });

    it('names the process of each span, its run, agent, agency, client and template', () => {
      const inEngine = spans.filter((span) => span.service === 'partner-portal-engine').map((span) => span.name);
      assert.deepEqual(
        inEngine.filter((name) => !name.startsWith('step ')),
        ['run flow'],
      );
      assert.ok(steps.every((name) => inEngine.includes(name)));
      const accept = named('accept event');
      assert.equal(accept.service, 'partner-portal');
      assert.deepEqual(
        ['portal.run.id', 'portal.agent.id', 'portal.agency.id', 'portal.client.id', 'portal.template.name', 'portal.run.source'].map(
          (key) => attributeOf(accept, key),
        ),
        [executionId, workspace.workflowIds[TEMPLATE], workspace.partnerId, workspace.oakStreetId, TEMPLATE, 'ingest'],
      );
    });

    it('only links to the span that its sender names', () => {
      assert.deepEqual(
        named('accept event').links?.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
        [SENDER],
      );
      assert.ok(collector.spans().every((span) => span.traceId !== SENDER.traceId));
    });

    it('leaves no value of it, no address and no token in what the collector receives, which gets its own token', () => {
      const sent = collector.bodies.join('\n');
      for (const value of [CALLER, CALLER.slice(1), DEMO.businessNumber.slice(1), DEMO.clientUser.email, receiver.url, 'token=', 'Bearer'])
        assert.ok(!sent.includes(value), value);
      assert.ok(!sent.includes(COLLECTOR_TOKEN));
      assert.ok(collector.headers().every((headers) => headers.authorization === `Bearer ${COLLECTOR_TOKEN}`));
    });

    it('sends no header of the trace to other systems', async () => {
      const webhooks = receiver.received.filter(({ body }) => body.includes('usage.threshold_crossed'));
      assert.ok(webhooks.length > 0);
      assert.ok(webhooks.every(({ headers }) => headers['traceparent'] === undefined && headers['tracestate'] === undefined));
      const [text] = (await workspace.admin.listOutbox({ query: { provider: 'twilio', limit: 1 } })).data;
      assert.ok(text !== undefined && !JSON.stringify(text).includes(traceId));
    });

    it('is named with its trace to staff, with the address, and to no one else', async () => {
      const params = { id: executionId };
      const address = `https://traces.example.com/trace/${traceId}`;
      assert.deepEqual((await workspace.admin.getExecution({ params })).trace, { id: traceId, url: address });
      assert.equal((await workspace.owner.getExecution({ params })).trace, null);
      const view = await workspace.admin.viewAs({ body: { partnerId: workspace.partnerId, reason: 'to see a trace' } });
      assert.deepEqual((await system.client(view.accessToken).getExecution({ params })).trace, { id: traceId, url: address });
    });

    it('has its trace in the lines of the log', async () => {
      const lines = system
        .log()
        .split('\n')
        .filter((line) => line.includes(traceId))
        .map((line) => JSON.parse(line) as Record<string, unknown>); // written as JSON
      assert.deepEqual(
        lines.filter((line) => line['msg'] === 'request').map((line) => [line['route'], line['trace_id'], line['span_id']]),
        [
          ['/webhooks/agents/:workflowId', traceId, traceId.slice(16)],
          ['/executions/webhook', traceId, traceId.slice(16)],
        ],
      );
    });
  });
}
