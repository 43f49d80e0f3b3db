import type { SpanContext } from '@partner-portal/core/tracing/trace-context.ts';
import type { Secret } from '../secret.ts';

/** Facts of a span: ids, names from code and catalog, codes and counts. Never contents, secrets or addresses. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type SpanKind = 'internal' | 'server' | 'client';

export type SpanEnd = {
  name: string;
  kind?: SpanKind;
  attributes: Attributes;
  /** A code; set where what the span stands for failed. */
  error?: string | null | undefined;
  /** Places in other traces that it has to do with. */
  links?: readonly SpanContext[];
};

export type Span = {
  readonly context: SpanContext;
  /** Its header for what it calls. */
  readonly traceparent: string;
  /** Ends it now, and queues it for the collector. A span that is never ended is not recorded. */
  end(details: SpanEnd): void;
};

export type SpanStart = {
  /** The span that caused it; left out for the first one of a trace. */
  parent?: SpanContext | null;
  /** Its own place; a random one below `parent` when left out. */
  context?: SpanContext;
  /** `performance.now()` of its start; now when left out. */
  startedAt?: number | undefined;
};

/** A span that the embedded engine ended, as its process writes it. Times are milliseconds since 1970. */
export type EngineSpan = {
  context: SpanContext;
  parent: SpanContext;
  name: string;
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  error?: string | null | undefined;
};

/** Records spans of this process and of the embedded engine. Where tracing is off there is none, and nothing of OpenTelemetry is loaded. */
export type Tracer = {
  /** Begins a span. Undefined without parent and place, and in a trace that is not sampled. */
  start(span: SpanStart): Span | undefined;
  /** Whether spans of this trace are recorded; the same in every process that has the same share. */
  isSampled(traceId: string): boolean;
  recordOfEngine(span: EngineSpan): void;
  /** Sends what waits, within a deadline. */
  stop(): Promise<void>;
};

export type TracingConfig = {
  /** Base address of the collector's OTLP/HTTP receiver. */
  endpoint: string;
  /** Headers of each call to the collector, such as its token. */
  headers: ReadonlyMap<string, Secret>;
  serviceName: string;
  /** Share of the traces that are recorded, from 0 to 1. */
  share: number;
};
