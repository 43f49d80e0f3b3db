import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { messageOf } from '../log.ts';
import { fitsJson, isTooDeep } from '../json.ts';
import type { StepRoom } from '../memory.ts';
import { kibOf, StepError } from './step.ts';

/** Most of a body that an error quotes. */
const QUOTED_MAX = 16 * 1024;
const AGENT_NAME = 'workflow-engine/0.85.2';

const textMap = z.record(z.string(), z.unknown()).catch({});
const inputSchema = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']),
  url: z.string(),
  headers: textMap,
  queryParams: textMap,
  authType: z.string().catch('NONE'),
  authFields: textMap,
  body_type: z.string().optional().catch(undefined),
  body: z.unknown().optional(),
  timeout: z.coerce.number().positive().optional().catch(undefined),
  followRedirects: z.boolean().catch(true),
  failureMode: z.string().catch('continue_none'),
});
type Input = z.infer<typeof inputSchema>;
export type HttpReply = { status: number; headers: Record<string, string | string[]>; body: unknown };
export type HttpStepOptions = { dispatcher: Dispatcher; timeoutMs: number; signal: AbortSignal; room: StepRoom };

/** Facts of a failed call: the status is 500 when no answer came, as in the recorded engine. */
class CallFailed extends Error {
  readonly status: number;
  readonly responseBody: unknown;
  readonly reason: string | undefined;

  constructor(status: number, responseBody: unknown, reason?: string) {
    super('call failed');
    this.status = status;
    this.responseBody = responseBody;
    this.reason = reason;
  }
}

function targetOf(input: Input): URL {
  let url: URL;
  try {
    url = new URL(input.url);
  } catch {
    throw new StepError('The URL is not valid', { errorName: 'HttpError' });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new StepError('Only http and https URLs can be called', { errorName: 'HttpError' });
  if (url.username !== '' || url.password !== '') throw new StepError('The URL must not carry credentials', { errorName: 'HttpError' });
  for (const [key, value] of Object.entries(input.queryParams)) url.searchParams.append(key, plainText(value));
  return url;
}

function plainText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

function authorization(input: Input): string | undefined {
  if (input.authType === 'BASIC') {
    const { username, password } = input.authFields;
    return `Basic ${Buffer.from(`${plainText(username)}:${plainText(password)}`).toString('base64')}`;
  }
  if (input.authType === 'BEARER_TOKEN') return `Bearer ${plainText(input.authFields['token'])}`;
  return undefined;
}

/** The value the step sends: `body.data`. A body without `data` sends nothing, and the step succeeds all the same. */
function dataOf(input: Input): unknown {
  if (input.body_type === 'none') return undefined;
  if (input.body_type === 'form_data') throw new StepError('body_type form_data is not supported', { errorName: 'HttpError' });
  const { body } = input;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'data')) return undefined;
  return Reflect.get(body, 'data');
}

function encode(data: unknown, contentType: string): string {
  if (typeof data === 'string') {
    if (!contentType.includes('json')) return data;
    try {
      JSON.parse(data);
      return data.trim();
    } catch {
      return JSON.stringify(data);
    }
  }
  if (contentType.includes('x-www-form-urlencoded') && typeof data === 'object' && data !== null) {
    return new URLSearchParams(Object.entries(data).map(([key, value]): [string, string] => [key, plainText(value)])).toString();
  }
  return JSON.stringify(data);
}

/** A header carries Latin-1. Any other character, as in a key that was pasted wrongly, arrives as `?`, so that the other side answers it. */
function inHeader(value: string): string {
  return value.replace(/[^\u0000-\u00ff]/gu, '?'); // oxlint-disable-line no-control-regex -- line breaks are refused by the client
}

function outgoing(input: Input, bytesMax: number): { headers: Record<string, string>; body: string | undefined } {
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': AGENT_NAME };
  const auth = authorization(input);
  if (auth !== undefined) headers['authorization'] = inHeader(auth);
  let contentType: string | undefined;
  for (const [key, value] of Object.entries(input.headers)) {
    const name = key.toLowerCase();
    // Length and framing belong to the client; a flow that set them could smuggle a second request.
    if (name === '' || ['content-length', 'transfer-encoding', 'connection', 'host'].includes(name)) continue;
    if (name === 'content-type') contentType = plainText(value);
    else headers[name] = inHeader(plainText(value).trim());
  }
  const hasBody = input.method !== 'GET' && input.method !== 'HEAD';
  const data = dataOf(input);
  if (data === undefined || !hasBody) {
    if (hasBody) headers['content-type'] = contentType ?? 'application/x-www-form-urlencoded';
    return { headers, body: hasBody ? '' : undefined };
  }
  if (!fitsJson(data, bytesMax)) throw new StepError(`The body to send is larger than ${kibOf(bytesMax)}`, { errorName: 'HttpError' });
  headers['content-type'] = contentType ?? 'application/json';
  return { headers, body: encode(data, headers['content-type']) };
}

/** Reads a body as far as it comes: `broken` is why it stalled or ended early. */
async function readBody(stream: AsyncIterable<Buffer>, room: StepRoom, stopped: AbortSignal): Promise<{ bytes: Buffer; broken?: unknown }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.length;
      // Leaving the loop destroys the stream, and with it the socket.
      if (size > room.answerBytesMax) throw tooLarge(room);
      chunks.push(chunk);
      // Nothing more is read from the socket while this waits.
      await room.forBody(size);
    }
  } catch (thrown) {
    stopped.throwIfAborted();
    if (thrown instanceof StepError) throw thrown;
    return { bytes: Buffer.concat(chunks), broken: thrown };
  }
  return { bytes: Buffer.concat(chunks) };
}

function tooLarge({ answerBytesMax }: StepRoom): StepError {
  return new StepError(`The answer is larger than ${kibOf(answerBytesMax)}`, { errorName: 'HttpError' });
}

const UNPACK: Record<string, (bytes: Buffer, limits: { maxOutputLength: number }) => Buffer> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
};

async function unpack(bytes: Buffer, encoding: string, room: StepRoom): Promise<Buffer> {
  const unpackBytes = UNPACK[encoding];
  if (unpackBytes === undefined) return bytes;
  await room.forBody(room.answerBytesMax);
  try {
    return unpackBytes(bytes, { maxOutputLength: room.answerBytesMax });
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(room);
    throw new StepError('The answer could not be unpacked', { errorName: 'HttpError' });
  }
}

function parseBody(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  if (text === '' || isTooDeep(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function callOnce(input: Input, options: HttpStepOptions): Promise<HttpReply> {
  const url = targetOf(input);
  const { room } = options;
  const { headers, body } = outgoing(input, room.answerBytesMax);
  await room.forBody(body?.length ?? 0);
  const limit = startLimit(input.timeout === undefined ? options.timeoutMs : Math.min(input.timeout * 1_000, 600_000), options.signal);
  try {
    const reply = await request(url, {
      method: input.method,
      headers,
      ...(body === undefined ? {} : { body }),
      dispatcher: options.dispatcher,
      signal: limit.signal,
    });
    const plainHeaders = Object.fromEntries(
      Object.entries(reply.headers).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    );
    const encoding = plainText(plainHeaders['content-encoding']).toLowerCase();
    const read = await readBody(reply.body, room, options.signal);
    // A read is nothing without its body; of a change the status says that it was made, and making it again would make it twice.
    if (read.broken !== undefined && (input.method === 'GET' || input.method === 'HEAD')) throw read.broken;
    const isReadable = read.broken === undefined || encoding === '';
    const bytes = isReadable ? await unpack(read.bytes, encoding, room) : Buffer.alloc(0);
    await room.forAnswer(bytes.length);
    const replyBody = parseBody(bytes);
    // A step that says not to follow redirects takes one for an answer, as in the recorded engine; any other would need it followed.
    if (reply.statusCode >= (input.followRedirects ? 300 : 400)) throw new CallFailed(reply.statusCode, replyBody);
    return { status: reply.statusCode, headers: plainHeaders, body: replyBody };
  } catch (thrown) {
    if (thrown instanceof CallFailed || thrown instanceof StepError) throw thrown;
    options.signal.throwIfAborted();
    throw new CallFailed(500, undefined, limit.passed() ? 'TIMEOUT' : causeOf(thrown));
  } finally {
    limit.end();
  }
}

/**
 * A signal that aborts when `ms` have passed or `outer` aborts, until `end`. `AbortSignal.timeout` and `any` would do the same, but leave timer
 * and references behind at each call until the old generation is collected, which at a thousand calls a second is most of the heap.
 */
function startLimit(ms: number, outer: AbortSignal): { signal: AbortSignal; passed: () => boolean; end: () => void } {
  const own = new AbortController();
  let isPassed = false;
  const timer = setTimeout(() => {
    isPassed = true;
    own.abort();
  }, ms);
  const follow = (): void => own.abort(outer.reason);
  if (outer.aborted) follow();
  else outer.addEventListener('abort', follow, { once: true });
  return {
    signal: own.signal,
    passed: () => isPassed,
    end: () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', follow);
    },
  };
}

/** A short code for why no answer came: names neither host nor address. */
function causeOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : messageOf(thrown);
  return /^[A-Z0-9_]{2,40}$/.test(code) ? code : 'CONNECTION_FAILED';
}

function apiMessage(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  for (const key of ['message', 'error']) {
    const value: unknown = Reflect.get(body, key);
    if (typeof value === 'string' && value !== '') return value;
    const inner = typeof value === 'object' ? apiMessage(value) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function exchange(failed: CallFailed, requestBody: unknown): { response: { status: number; body?: unknown }; request: { body?: unknown } } {
  return {
    response: { status: failed.status, ...(failed.responseBody === undefined ? {} : { body: failed.responseBody }) },
    request: requestBody === undefined ? {} : { body: requestBody },
  };
}

/** A body as an error quotes it: long ones as the beginning of their text. */
function quote(body: unknown): unknown {
  if (body === undefined || fitsJson(body, QUOTED_MAX)) return body;
  return `${(typeof body === 'string' ? body : JSON.stringify(body)).slice(0, QUOTED_MAX)}…`;
}

function httpError(failure: CallFailed, sent: unknown): StepError {
  const failed = new CallFailed(failure.status, quote(failure.responseBody), failure.reason);
  const requestBody = quote(sent);
  const shown = apiMessage(failure.responseBody)?.slice(0, 4_000);
  return new StepError(shown ?? JSON.stringify(exchange(failed, requestBody)), {
    errorName: 'HttpError',
    status: failed.status,
    ...(failed.responseBody === undefined ? {} : { responseBody: failed.responseBody }),
    ...(requestBody === undefined ? {} : { requestBody }),
    ...(shown === undefined ? {} : { apiMessage: shown }),
    ...(failed.reason === undefined ? {} : { reason: failed.reason }),
  });
}

function isForgiven(mode: string, status: number): boolean {
  return mode === 'continue_all' || (mode === 'continue_4xx' && status >= 400 && status < 500);
}

function isRepeated(mode: string, status: number): boolean {
  return mode === 'retry_all' || (mode === 'retry_5xx' && status >= 500);
}

/**
 * Calls a URL (`send_request`). Takes resolved input; answers `{status, headers, body}`, or, when `failureMode`
 * forgives the failure, `{response: {status, body?}, request: {body?}}` without a top-level status.
 * Status >= 400 and a missing answer fail the step; a redirect too, unless the step says not to follow any. None is followed: a second address would
 * need its own consent. Throws StepError; rethrows the abort of `signal`.
 */
export async function sendRequest(rawInput: unknown, options: HttpStepOptions): Promise<unknown> {
  const parsed = inputSchema.safeParse(rawInput);
  if (!parsed.success) throw new StepError('The step needs a method and a URL', { errorName: 'HttpError' });
  const input = parsed.data;
  for (let call = 1; ; call += 1) {
    try {
      return await callOnce(input, options);
    } catch (thrown) {
      if (!(thrown instanceof CallFailed)) throw thrown;
      if (isRepeated(input.failureMode, thrown.status) && call < 3) continue;
      const requestBody = input.method === 'GET' ? undefined : dataOf(input);
      if (isForgiven(input.failureMode, thrown.status)) return exchange(thrown, requestBody);
      throw httpError(thrown, requestBody);
    }
  }
}
