import { ReadableStream } from 'node:stream/web';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts';
import type { ModelProgress } from './model-call.ts';

/** One call through our address guard: what the libraries take as `fetch`, and what went wrong below them, which they hide. */
export type GuardedFetch = { fetch: typeof globalThis.fetch; failure(): OutboundError | undefined };

export type GuardLimits = { timeoutMs: number; answerBytesMax: number };

/** Creates the `fetch` of one call. Redirects are not followed; the whole call has one deadline and its answer a limit of bytes. */
export function createGuardedFetch(
  outbound: Pick<SafeFetch, 'stream'>,
  limits: GuardLimits,
  progress: ModelProgress,
  signal: AbortSignal | undefined,
): GuardedFetch {
  let failure: OutboundError | undefined;
  const fail = (error: unknown): never => {
    if (error instanceof OutboundError) failure ??= error;
    throw error;
  };
  const guarded = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const body = init.body ?? undefined;
    if (body !== undefined && typeof body !== 'string') throw new Error('A language model is sent text only.');
    const { method = 'GET', headers } = init;
    progress.isSent = true;
    const answer = await outbound
      .stream({
        method,
        url: input instanceof Request ? input.url : String(input),
        headers: Object.fromEntries(new Headers(headers)),
        ...(body === undefined ? {} : { body }),
        ...(signal ? { signal } : {}),
        ...limits,
      })
      .catch((error: unknown) => {
        if (error instanceof OutboundError && !error.sent) progress.isSent = false;
        return fail(error);
      });
    progress.isAccepted = answer.status >= 200 && answer.status < 300;
    const isEmpty = answer.status === 204 || answer.status === 205 || answer.status === 304;
    return new Response(isEmpty ? null : toWeb(watched(answer.body, fail)), {
      status: answer.status,
      headers: answer.headers,
    });
  };
  return { fetch: guarded as typeof globalThis.fetch, failure: () => failure }; // the libraries call it in this form only
}

async function* watched(chunks: AsyncIterable<Buffer>, fail: (error: unknown) => never): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    fail(error);
  }
}

function toWeb(chunks: AsyncIterable<Uint8Array>): globalThis.ReadableStream {
  return ReadableStream.from(chunks) as globalThis.ReadableStream; // one class with two declarations
}
