import type { AsyncRows } from './csv.ts';
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

/** A file of comma-separated values, sent row by row. */
export type CsvAnswer = { kind: 'csv'; filename: string; columns: readonly string[]; rows: AsyncRows };

/** A PDF document, sent as a file. */
export type PdfAnswer = { kind: 'pdf'; filename: string; content: Uint8Array };

/** A file of JSON lines, each a value of the route's reply, sent as they are read. */
export type NdjsonAnswer = { kind: 'ndjson'; filename: string; rows: AsyncIterable<unknown> };

/** A stream of server-sent events. */
export type EventsAnswer = { kind: 'events'; source: EventSource };
