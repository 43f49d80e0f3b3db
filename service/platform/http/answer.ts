import type { CsvPages } from './csv.ts';
import type { EventSource } from './sse.ts';

/** A response that needs more than its body: another status of the route, or headers. */
export class Answer<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, body: T, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Returns a response with one of the route's declared statuses, and headers. */
export function answer<T>(status: number, body: T, headers?: Readonly<Record<string, string>>): Answer<T> {
  return new Answer(status, body, headers);
}

/** A file of separated values, sent row by row. `tag`: the reader's, whose spreadsheet opens it; commas separate when it is left out. */
export type CsvAnswer = { kind: 'csv'; filename: string; columns: readonly string[]; pages: CsvPages; tag?: string };

/** A PDF document, sent as a file. */
export type PdfAnswer = { kind: 'pdf'; filename: string; content: Uint8Array };

/** Part of a file; both ends belong to it. */
export type ByteRange = { start: number; end: number };

/** A stored file, of which a caller may ask for a range. */
export type FileAnswer = {
  kind: 'file';
  filename: string;
  contentType: string;
  sizeBytes: number;
  /** Names these bytes for ever: other bytes have another one. Without quotes. */
  etag: string;
  disposition: 'inline' | 'attachment';
  headers?: Readonly<Record<string, string>>;
  /** Called once at most. What it returns is read as fast as the caller takes it, and closed when they disconnect. */
  read(range?: ByteRange): AsyncIterable<Uint8Array>;
};

/** A file of JSON lines, each a value of the route's reply, sent as they are read. */
export type NdjsonAnswer = { kind: 'ndjson'; filename: string; pages: AsyncIterable<readonly unknown[]> };

/** JSON lines, each sent when it is there. They were rendered by the reply schemas of the routes they belong to. */
export type LinesAnswer = { kind: 'lines'; lines: AsyncIterable<string> };

/** A stream of server-sent events. */
export type EventsAnswer = {
  kind: 'events';
  source: EventSource;
  /** How many streams it counts for; one when left out. */
  streams?: number;
  /**
   * Takes a place for the stream before it is opened and returns what gives it back; undefined: there is none any more, and the stream ends. `end` ends
   * it when it loses its place.
   */
  takePlace?: (end: () => void) => (() => void) | undefined;
  /** Rejects once the stream must end; checks the session when left out. */
  assertValid?: () => Promise<void>;
};

/** One event of a reply that is sent as events. */
export type StreamEvent = { event: string; data: unknown };
/** A reply that is sent as events, where the route declares them. It ends with the last one, or with a problem when reading throws. */
export type StreamAnswer = { kind: 'stream'; events: AsyncIterable<StreamEvent> };

/** Whether a handler's result is a reply in events. */
export function isStreamAnswer(result: unknown): result is StreamAnswer {
  return typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'stream' && 'events' in result;
}
