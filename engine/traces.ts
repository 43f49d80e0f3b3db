import { createHash, randomFillSync } from 'node:crypto';

/** A span's place, as W3C Trace Context writes it. */
export type Place = { traceId: string; spanId: string };

/** One ended span: names, codes and counts, nothing of what a run works on. Times are milliseconds since 1970. */
export type EndedSpan = {
  context: Place;
  parent: Place;
  name: string;
  startedAt: number;
  endedAt: number;
  attributes: Record<string, string | number | boolean>;
  error?: string | null;
};

export type WriteSpan = (span: EndedSpan) => void;

/** Spans that share a line, and how long one waits for others. */
const LINE_SPANS = 64;
const LINE_MS = 200;
/** What may wait in memory for a parent that does not read; further spans are dropped. */
const WAITING_BYTES_MAX = 1024 * 1024;

/** Writes spans as lines on stdout, many in each, from which the parent process takes them. `close` writes those that wait. */
export function createSpanWriter(stdout: Pick<NodeJS.WriteStream, 'write' | 'writableLength'>): { write: WriteSpan; close: () => void } {
  let waiting: EndedSpan[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0 && stdout.writableLength < WAITING_BYTES_MAX) stdout.write(`${JSON.stringify({ spans: waiting })}\n`);
    waiting = [];
  };
  return {
    write: (span) => {
      waiting.push(span);
      if (waiting.length >= LINE_SPANS) flush();
      else timer ??= setTimeout(flush, LINE_MS).unref();
    },
    close: flush,
  };
}

/** Reads the sender's place from the headers of an event; undefined without one, and for a trace that the sender does not record. */
export function callerOf(headers: unknown): Place | undefined {
  const header: unknown = typeof headers === 'object' && headers !== null && 'traceparent' in headers ? headers.traceparent : undefined;
  const [, traceId, spanId, flags = '0'] =
    typeof header === 'string' ? (/^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header) ?? []) : [];
  if (traceId === undefined || spanId === undefined || Number.parseInt(flags, 16) % 2 === 0) return undefined;
  return { traceId, spanId };
}

/** The place of a run below its caller: the same in every process that works on it. */
export function placeOfRun(runId: string, { traceId }: Place): Place {
  return { traceId, spanId: createHash('sha256').update(runId).digest('hex').slice(0, 16) };
}

const ID_BYTES = 8;
const random = Buffer.alloc(ID_BYTES * 256);
let used = random.length;

/** A new place in the trace of another one. */
export function placeBelow({ traceId }: Place): Place {
  // A call to the generator costs more than the id made from it.
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += ID_BYTES;
  return { traceId, spanId: random.toString('hex', used - ID_BYTES, used) };
}
