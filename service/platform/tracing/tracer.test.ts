import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { contextOfRun, parseTraceparent } from '@partner-portal/core/tracing/trace-context.ts';
import { attributeOf, type Collector, prepareCollector } from '@partner-portal/tests/harness/collector.ts';
import { newId } from '../ids.ts';
import { createLog } from '../log.ts';
import { Secret } from '../secret.ts';
import { startTracer } from './start-tracer.ts';
import type { Tracer } from './tracer.ts';

const log = createLog('silent');
const SERVICE = join(import.meta.dirname, '..', '..');

let collector: Collector;
const loaded: string[] = [];
const hooks = registerHooks({
  load(url, context, next) {
    // Its interface alone is a dependency of the job queue too.
    if (/@opentelemetry\/(?!api\/)|open-telemetry\.ts/.test(url)) loaded.push(url);
    return next(url, context);
  },
});

before(async () => {
  collector = await prepareCollector();
  await collector.open();
});
after(async () => {
  hooks.deregister();
  await collector.close();
});

function tracerWith({ share = 1 } = {}): Promise<Tracer> {
  return startTracer(
    { endpoint: collector.url, headers: new Map([['x-token', new Secret('abc')]]), serviceName: 'a-service', share },
    log,
  ).then((tracer) => tracer ?? assert.fail());
}

describe('tracing', () => {
  it('loads nothing of OpenTelemetry while it is off', async () => {
    assert.equal(await startTracer(null, log), undefined);
    assert.equal(loaded.length, 0);
    await (await tracerWith()).stop();
    assert.ok(loaded.some((url) => url.includes('exporter-trace-otlp-http')));
  });

  it('is imported by one file, which no other one imports', () => {
    const importers = globSync('**/*.ts', { cwd: SERVICE, exclude: (name) => name === 'node_modules' || name === 'dist' }).filter((file) =>
      /^import (?!type ).*from '(@opentelemetry\/|[^']*\/open-telemetry\.ts')/m.test(readFileSync(join(SERVICE, file), 'utf8')),
    );
    assert.deepEqual(importers, ['platform/tracing/open-telemetry.ts']);
  });

  it('sends what has ended when it stops, below the span that caused it, under the name of its process', async () => {
    const tracer = await tracerWith();
    const run = newId();
    const root = tracer.start({ context: contextOfRun(run) }) ?? assert.fail();
    const child = tracer.start({ parent: root.context }) ?? assert.fail();
    child.end({ name: 'child', kind: 'client', attributes: { given: 1, missing: null }, error: 'refused' });
    root.end({ name: 'root', attributes: {}, links: [contextOfRun(newId())] });
    tracer.recordOfEngine({
      context: { ...child.context, spanId: 'aaaaaaaaaaaaaaaa' },
      parent: parseTraceparent(child.traceparent) ?? assert.fail(),
      name: 'in the engine',
      startedAt: Date.now() - 5,
      endedAt: Date.now(),
      attributes: {},
    });
    await tracer.stop();
    const spans = collector.spans().filter(({ traceId }) => traceId === contextOfRun(run).traceId);
    const [first, second, third] = ['root', 'child', 'in the engine'].map(
      (name) => spans.find((span) => span.name === name) ?? assert.fail(name),
    );
    assert.deepEqual([first?.spanId, first?.parentSpanId, first?.links?.length], [contextOfRun(run).spanId, undefined, 1]);
    assert.deepEqual([second?.parentSpanId, second?.status.code], [first?.spanId, 2]);
    assert.deepEqual(second?.attributes.map(({ key }) => key).toSorted(), ['error.type', 'given']);
    assert.equal(second && attributeOf(second, 'error.type'), 'refused');
    assert.deepEqual([third?.parentSpanId, third?.service, first?.service], [second?.spanId, 'a-service-engine', 'a-service']);
    assert.equal(collector.headers().at(-1)?.['x-token'], 'abc');
  });

  it('decides by the trace alone which share of them is recorded', async () => {
    const [none, half, same] = [await tracerWith({ share: 0 }), await tracerWith({ share: 0.5 }), await tracerWith({ share: 0.5 })];
    const contexts = Array.from({ length: 400 }, () => contextOfRun(newId()));
    const chosen = contexts.filter((context) => half.start({ context }) !== undefined);
    assert.ok(chosen.length > 100 && chosen.length < 300, String(chosen.length));
    assert.deepEqual(
      contexts.filter(({ traceId }) => same.isSampled(traceId)),
      chosen,
    );
    assert.ok(contexts.every((context) => none.start({ context }) === undefined));
    for (const tracer of [none, half, same]) await tracer.stop();
  });
});
