import { randomFillSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type HrTime, type Link, ROOT_CONTEXT, SpanKind as Kind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { ATTR_ERROR_TYPE, ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import { type SpanContext, traceparentOf } from '@partner-portal/core/tracing/trace-context.ts';
import type { Log } from '../log.ts';
import type { Attributes, SpanEnd, SpanKind, Tracer, TracingConfig } from './tracer.ts';

/** Spans that wait for the collector; further ones are dropped. A span takes about 2 KB. */
const QUEUE_MAX = 4_096;
const BATCH_MAX = 512;
const EVERY_MS = 2_000;
/** Time limit of an export, repeats included. */
const EXPORT_MS = 10_000;
/** How long a stop waits for the collector. */
const STOP_MS = 5_000;
/** A collector that is away is noted at most this often. */
const NOTE_MS = 60_000;

const SPAN_ID_BYTES = 8;
const SCOPE = { name: 'partner-portal' };
const UNSET = { code: SpanStatusCode.UNSET };
const KINDS: Record<SpanKind, Kind> = { internal: Kind.INTERNAL, server: Kind.SERVER, client: Kind.CLIENT };

type Ended = { context: SpanContext; parent: SpanContext | null; startedAt: number; endedAt: number };
type Recorded = { -readonly [Key in keyof ReadableSpan]: ReadableSpan[Key] };

/** Creates the tracer of OpenTelemetry: a bounded queue, sent in batches as OTLP over HTTP. */
export function createTracer(config: TracingConfig, log: Log): Tracer {
  const sampler = new TraceIdRatioBasedSampler(config.share);
  const processor = new BatchSpanProcessor({
    exporter: noting(
      new OTLPTraceExporter({
        url: `${config.endpoint}/v1/traces`,
        headers: Object.fromEntries([...config.headers].map(([name, value]) => [name, value.reveal()])),
        timeoutMillis: EXPORT_MS,
      }),
      log,
    ),
    maxQueueSize: QUEUE_MAX,
    maxExportBatchSize: BATCH_MAX,
    scheduledDelayMillis: EVERY_MS,
    exportTimeoutMillis: 2 * EXPORT_MS,
  });
  const resourceOf = (serviceName: string): Resource =>
    defaultResource().merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: serviceName }));
  const service = resourceOf(config.serviceName);
  const engine = resourceOf(`${config.serviceName}-engine`);
  const isSampled = (traceId: string): boolean =>
    config.share === 1 || sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;

  return {
    isSampled,
    start({ parent = null, context = parent && { traceId: parent.traceId, spanId: newSpanId() }, startedAt = performance.now() }) {
      if (!context || !isSampled(context.traceId)) return undefined;
      return {
        context,
        traceparent: traceparentOf(context),
        end(details) {
          const endedAt = Date.now();
          const span = { context, parent, startedAt: endedAt - (performance.now() - startedAt), endedAt };
          processor.onEnd(recorded(service, span, details));
        },
      };
    },
    recordOfEngine(span) {
      if (isSampled(span.context.traceId)) processor.onEnd(recorded(engine, span, span));
    },
    async stop() {
      await Promise.race([processor.shutdown().catch(() => undefined), delay(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** A span as the processor takes it. The SDK's own tracer would sample it again, clean its attributes and make a context for its parent (ADR 0079). */
function recorded(resource: Resource, { context, parent, startedAt, endedAt }: Ended, details: SpanEnd): ReadableSpan {
  const place = { traceId: context.traceId, spanId: context.spanId, traceFlags: TraceFlags.SAMPLED };
  // Built without spreading, which would take two thirds of the time of this function.
  const span: Recorded = {
    name: details.name,
    kind: KINDS[details.kind ?? 'internal'],
    spanContext: () => place,
    startTime: toHrTime(startedAt),
    endTime: toHrTime(endedAt),
    duration: toHrTime(Math.max(0, endedAt - startedAt)),
    status: details.error ? { code: SpanStatusCode.ERROR, message: details.error } : UNSET,
    attributes: attributesOf(details.attributes, details.error),
    links: details.links?.map(linkTo) ?? [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
  if (parent) span.parentSpanContext = { traceId: parent.traceId, spanId: parent.spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return span;
}

/** Milliseconds as whole seconds and nanoseconds. */
function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.floor((ms - seconds * 1_000) * 1_000_000)];
}

function linkTo(context: SpanContext): Link {
  return { context: { ...context, traceFlags: TraceFlags.NONE, isRemote: true } };
}

function attributesOf(attributes: Attributes, error: string | null | undefined): Record<string, string | number | boolean> {
  const known: Record<string, string | number | boolean> = {};
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== null && value !== undefined) known[name] = value;
  }
  if (error) known[ATTR_ERROR_TYPE] = error;
  return known;
}

/** A call to the generator costs more than the id made from it. */
const random = Buffer.alloc(SPAN_ID_BYTES * 256);
let used = random.length;

function newSpanId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += SPAN_ID_BYTES;
  return random.toString('hex', used - SPAN_ID_BYTES, used);
}

/** Notes failed exports in the log, once a minute at most and without what the collector said. */
function noting(exporter: SpanExporter, log: Log): SpanExporter {
  let notedAt = Number.NEGATIVE_INFINITY;
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error) {
          lost += spans.length;
          if (performance.now() - notedAt >= NOTE_MS) {
            notedAt = performance.now();
            log.warn({ spans: lost, code: codeOf(result.error) }, 'the trace collector took no spans; they are lost');
            lost = 0;
          }
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** The status of the collector's answer or the code of the network's error. */
function codeOf(error: Error & { code?: string | number }): string {
  return String(error.code ?? error.name);
}
