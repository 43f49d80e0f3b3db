import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { attendance } from './attendance.ts';

/**
 * Sends the reads of one moment with one request: a page begins with many, and each request costs the page time and counts against the limit of its
 * reader. See docs/adr/0052-together.md.
 */

type Read = { path: string; init: RequestInit; resolve: (response: Response) => void; reject: (reason: unknown) => void };

/** The parts of a page begin to read one after the other; their reads share a request when they begin within this time. */
const GATHER_MS = 5;

let waiting: Read[] = [];

/** Like `fetch`, for a GET of JSON with a session. Reads that begin at about the same time share a request. */
export function readTogether(path: string, init: RequestInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    const read: Read = { path, init, resolve, reject };
    if (init.signal?.aborted) return reject(init.signal.reason);
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true });
    waiting.push(read);
    if (waiting.length === 1) setTimeout(sendWaiting, GATHER_MS);
  });
}

function sendWaiting(): void {
  const reads = waiting.filter(({ init }) => !init.signal?.aborted);
  waiting = [];
  // A session may have replaced another meanwhile.
  const bySession = Map.groupBy(reads, ({ init }) => new Headers(init.headers).get('authorization') ?? '');
  for (const [authorization, all] of bySession) {
    for (let at = 0; at < all.length; at += LIMITS.readsTogetherMax) void send(authorization, all.slice(at, at + LIMITS.readsTogetherMax));
  }
}

async function send(authorization: string, reads: readonly Read[]): Promise<void> {
  if (reads.length === 1) return sendAlone(reads);
  const open = new Map(reads.entries());
  try {
    const response = await fetch('/reads', {
      method: 'POST',
      headers: { accept: 'application/x-ndjson', 'content-type': 'application/json', authorization, ...attendance() },
      body: JSON.stringify({ reads: reads.map(({ path }) => path) }),
      signal: whenAllAbort(reads),
    });
    // While the service is replaced, a process of the version before may not know the route.
    if (response.status === 404) return sendAlone(reads);
    if (!response.ok || !response.body) {
      const body = await response.text();
      for (const { resolve } of reads) resolve(new Response(body, { status: response.status, headers: response.headers }));
      return;
    }
    for await (const line of linesOf(response.body)) {
      const answer = parseLine(line, response.headers.get('date') ?? '');
      open.get(answer.read)?.resolve(answer.response);
      open.delete(answer.read);
    }
    for (const { reject } of open.values()) reject(new TypeError('Failed to fetch'));
  } catch (error) {
    for (const { reject } of open.values()) reject(error);
  }
}

function sendAlone(reads: readonly Read[]): void {
  for (const { path, init, resolve, reject } of reads) fetch(path, init).then(resolve, reject);
}

/** Aborts when no one waits for any of them. */
function whenAllAbort(reads: readonly Read[]): AbortSignal {
  const all = new AbortController();
  let left = reads.length;
  const count = (): void => {
    left--;
    if (left === 0) all.abort();
  };
  for (const { init } of reads) init.signal?.addEventListener('abort', count, { once: true });
  return all.signal;
}

/** The body is the last member of a line, and its text is passed on unread. */
function parseLine(line: string, date: string): { read: number; response: Response } {
  const [head = '', read, status] = /^\{"read":(\d+),"status":(\d+),"body":/.exec(line) ?? [];
  if (head === '') throw new TypeError('The service sent a line that is no reply.');
  const body = line.slice(head.length, -1);
  const headers = new Headers({ 'content-type': 'application/json', date });
  const wait = Number(status) === 429 || Number(status) === 503 ? /"retryAfterSeconds":(\d+)/.exec(body)?.[1] : undefined;
  if (wait) headers.set('retry-after', wait);
  return { read: Number(read), response: new Response(body, { status: Number(status), headers }) };
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const [first = '', ...others] = decoder.decode(value, { stream: true }).split('\n');
    parts.push(first);
    for (const other of others) {
      yield parts.join('');
      parts = [other];
    }
  }
}
