import { setTimeout as delay } from 'node:timers/promises';
import { type Context, type Link, ROOT_CONTEXT, SpanKind as Kind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { ATTR_ERROR_TYPE, ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import { contextOfRun, type SpanContext, traceparentOf } from '@partner-portal/core/tracing/trace-context.ts';
import { newId } from '../ids.ts';
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

const KINDS: Record<SpanKind, Kind> = { internal: Kind.INTERNAL, server: Kind.SERVER, client: Kind.CLIENT };

type Ended = SpanEnd & { context: SpanContext; parent: SpanContext | null; startedAt: number; endedAt: number };

/** Gives the SDK the ids of the span that is being recorded, which are known before. */
class GivenIds implements IdGenerator {
  next: SpanContext = { traceId: '', spanId: '' };
  generateTraceId(): string {
    return this.next.traceId;
  }
  generateSpanId(): string {
    return this.next.spanId;
  }
}

/** Creates the tracer of OpenTelemetry: a bounded queue, sent in batches as OTLP over HTTP. */
export function createTracer(config: TracingConfig, log: Log): Tracer {
  const ids = new GivenIds();
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
  const tracerOf = (serviceName: string) =>
    new TracerProvider({
      resource: defaultResource().merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: serviceName })),
      sampler,
      idGenerator: ids,
      spanProcessors: [processor],
    }).getTracer('partner-portal');
  const service = tracerOf(config.serviceName);
  const engine = tracerOf(`${config.serviceName}-engine`);

  const record = (tracer: typeof service, span: Ended): void => {
    ids.next = span.context;
    const recorded = tracer.startSpan(
      span.name,
      {
        kind: KINDS[span.kind ?? 'internal'],
        startTime: span.startedAt,
        attributes: attributesOf(span.attributes, span.error),
        links: (span.links ?? []).map(linkTo),
      },
      below(span.parent),
    );
    if (span.error) recorded.setStatus({ code: SpanStatusCode.ERROR, message: span.error });
    recorded.end(span.endedAt);
  };
  const isSampled = (traceId: string): boolean =>
    sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;

  return {
    isSampled,
    start({ parent = null, context = parent && { traceId: parent.traceId, spanId: newSpanId() }, startedAt = performance.now() }) {
      if (!context || !isSampled(context.traceId)) return undefined;
      return {
        context,
        traceparent: traceparentOf(context),
        end(details) {
          const endedAt = Date.now();
          record(service, { ...details, context, parent, startedAt: endedAt - (performance.now() - startedAt), endedAt });
        },
      };
    },
    recordOfEngine(span) {
      if (isSampled(span.context.traceId)) record(engine, span);
    },
    async stop() {
      await Promise.race([processor.shutdown().catch(() => undefined), delay(STOP_MS, undefined, { ref: false })]);
    },
  };
}

function below(parent: SpanContext | null): Context {
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: TraceFlags.SAMPLED, isRemote: true });
}

function linkTo(context: SpanContext): Link {
  return { context: { ...context, traceFlags: TraceFlags.NONE, isRemote: true } };
}

function attributesOf(attributes: Attributes, error: string | null | undefined): Record<string, string | number | boolean> {
  const known: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) known[name] = value;
  if (error) known[ATTR_ERROR_TYPE] = error;
  return known;
}

/** The last bytes of an id of ours are random and never all zero. */
function newSpanId(): string {
  return contextOfRun(newId()).spanId;
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
