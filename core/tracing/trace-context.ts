/** A span's place: the trace it belongs to (32 hex digits) and its own id (16), in lower case. */
export type SpanContext = { traceId: string; spanId: string };

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Returns the place of a run's first span. The trace id is the run's id without hyphens, so that every process knows it from the run alone
 * (ADR 0079); the last eight bytes of a UUID version 7 are never all zero.
 */
export function contextOfRun(executionId: string): SpanContext {
  const traceId = executionId.replaceAll('-', '').toLowerCase();
  return { traceId, spanId: traceId.slice(16) };
}

/** Returns the header `traceparent` (W3C Trace Context) of a span that is recorded. */
export function traceparentOf({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`;
}

/** Reads a header `traceparent`. Null when it is malformed, as W3C Trace Context defines it; what later versions append is ignored. */
export function parseTraceparent(header: string | null | undefined): SpanContext | null {
  const [, version, traceId = '', spanId = '', , more] = TRACEPARENT.exec(header ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? null : { traceId, spanId };
}
