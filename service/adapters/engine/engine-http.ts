import { errorReplySchema, healthReplySchema } from '@partner-portal/engine/protocol.ts';
import type { z } from 'zod';
import { parseJson } from '#platform/parse-json.ts';
import { EngineError, isEngineError } from './engine-error.ts';

/** A complete response. */
export type HttpAnswer = { status: number; headers: Readonly<Record<string, string>>; text: string };

/** Sends a call. Throws `EngineError` of kind `unreachable` (nothing was sent) or `timeout` (it may have arrived). */
export type HttpSend = (call: {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}) => Promise<HttpAnswer>;

export type Call = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below `/v1`, for example `/flows/abc`. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  token?: string;
  /** The body contains a secret, which a response may repeat: errors then include status and code only. */
  isSecret?: boolean;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** The answer is waited for long: the call takes no connection that shorter ones need. */
  isWaiting?: boolean;
};

export type EngineHttp = {
  /** Returns the raw response. */
  raw(call: Call): Promise<HttpAnswer>;
  /** Returns a validated JSON response; any refusal becomes an `EngineError`. */
  json<T>(call: Call, shape: z.ZodType<T>): Promise<T>;
  /** `GET /v1/health` within `timeoutMs`: whether the engine says it can work. */
  healthy(timeoutMs: number): Promise<boolean>;
};

const PROBE_TIMEOUT_MS = 5_000;

/**
 * HTTP client of one engine. All its routes are under `/api`; without that prefix the engine's web pages respond 200 to any path, so the prefix
 * is detected once, by content type and a member only the engine's response has (engine API, §0.1). The base address is read at each call:
 * the embedded engine may restart on another port.
 */
export function createEngineHttp(send: HttpSend, baseUrl: () => string | null, sendWaiting = send): EngineHttp {
  let found: { base: string; prefix: Promise<string> } | undefined;

  const currentBase = (): string => {
    const base = baseUrl();
    if (base === null) throw new EngineError('not_configured', 'No engine address is set (AUTOMATION_ENGINE_BASE_URL).');
    return base.replace(/\/+$/, '');
  };
  const prefixOf = (base: string, timeoutMs: number): Promise<string> => {
    if (found?.base === base) return found.prefix;
    const prefix = findPrefix(send, base, timeoutMs);
    found = { base, prefix };
    // Failures are not cached: the engine may be starting.
    prefix.catch(() => {
      if (found?.prefix === prefix) found = undefined;
    });
    return prefix;
  };
  const raw: EngineHttp['raw'] = async (call) => {
    const base = currentBase();
    const prefix = await prefixOf(base, Math.min(call.timeoutMs, PROBE_TIMEOUT_MS));
    const sent = await (call.isWaiting ? sendWaiting : send)({
      method: call.method,
      url: `${base}${prefix}/v1${call.path}`,
      headers: {
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
        ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      timeoutMs: call.timeoutMs,
      signal: call.signal,
    });
    // A web page: something else took over the address, so the prefix is detected again.
    if (isPage(sent)) found = undefined;
    return sent;
  };
  return {
    raw,
    async json(call, shape) {
      const what = `${call.method} ${call.path.split('?')[0] ?? call.path}`;
      const sent = await raw(call);
      if (sent.status >= 300) throw refusal(what, sent, call.isSecret ?? false);
      if (isPage(sent)) throw new EngineError('protocol', `${what}: a web page responded instead of the engine.`, { status: sent.status });
      const parsed = shape.safeParse(sent.text === '' ? undefined : parseJson(sent.text));
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      throw new EngineError(
        'protocol',
        `${what}: the response has an unexpected format (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}).`,
        {
          status: sent.status,
        },
      );
    },
    async healthy(timeoutMs) {
      const base = currentBase();
      const started = performance.now();
      let prefix: string;
      try {
        prefix = await prefixOf(base, timeoutMs);
      } catch (error) {
        if (isEngineError(error, 'unhealthy')) return false;
        throw error;
      }
      const left = Math.max(1, Math.round(timeoutMs - (performance.now() - started)));
      return readHealth(await send({ method: 'GET', url: `${base}${prefix}/v1/health`, headers: {}, timeoutMs: left })) === 'Healthy';
    },
  };
}

async function findPrefix(send: HttpSend, base: string, timeoutMs: number): Promise<string> {
  // The configured address may include the prefix.
  const candidates = base.endsWith('/api') ? ['', '/api'] : ['/api', ''];
  for (const prefix of candidates) {
    const answer = await send({ method: 'GET', url: `${base}${prefix}/v1/health`, headers: {}, timeoutMs });
    if (readHealth(answer) !== null) return prefix;
  }
  throw new EngineError(
    'protocol',
    'Something answers at the engine address, but it is not the workflow engine: no /v1/health with a status was found.',
  );
}

/** The status of a health answer, or null when it is not one (a web page, for instance). */
function readHealth(answer: HttpAnswer): 'Healthy' | 'Unhealthy' | null {
  if (isPage(answer)) return null;
  const parsed = healthReplySchema.safeParse(parseJson(answer.text));
  return parsed.success ? parsed.data.status : null;
}

export function isPage(answer: Pick<HttpAnswer, 'headers'>): boolean {
  return /^text\/html/i.test(answer.headers['content-type'] ?? '');
}

/** Whether a refusal has one of the engine's forms (engine API, §1). A proxy in front of it answers 404 too while the engine restarts. */
export function isOfEngine({ text }: Pick<HttpAnswer, 'text'>): boolean {
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return Object.keys(body).length === 0 || 'code' in body || 'statusCode' in body;
}

/** Returns the error of a response of 300 or more, with the engine's own message unless it may contain a secret. */
function refusal(what: string, answer: HttpAnswer, isSecret: boolean): EngineError {
  const { status } = answer;
  if (kindOf(status) === 'not_found' && !isOfEngine(answer))
    return new EngineError('protocol', `${what}: something else answered ${status} instead of the engine.`, { status });
  const parsed = errorReplySchema.safeParse(parseJson(answer.text));
  const code = parsed.success ? (parsed.data.code ?? null) : null;
  const retryAfter = Number(answer.headers['retry-after']);
  const retryAfterSeconds = answer.headers['retry-after'] !== undefined && Number.isFinite(retryAfter) ? retryAfter : null;
  const detail = isSecret ? '' : detailOf(parsed.data);
  const wait = retryAfterSeconds === null ? '' : `, not before ${retryAfterSeconds} s`;
  const message = `${what}: the engine answered ${status}${code === null ? '' : ` ${code}`}${detail}${wait}.`;
  return new EngineError(kindOf(status), message, { status, code, retryAfterSeconds });
}

function kindOf(status: number): EngineError['kind'] {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 402) return 'plan_limit';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 429) return 'busy';
  if (status === 503) return 'unhealthy';
  return status >= 500 ? 'failed' : 'refused';
}

function detailOf(body: z.infer<typeof errorReplySchema> | undefined): string {
  const params = body?.params;
  const given: { message?: unknown; entityType?: unknown } = typeof params === 'object' && params !== null ? params : {};
  const inner = given.message ?? body?.message ?? given.entityType;
  return typeof inner === 'string' && inner !== '' ? ` (${inner.slice(0, 300)})` : '';
}
