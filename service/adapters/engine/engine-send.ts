import type { InternalFetch } from '#platform/outbound/internal-fetch.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import { EngineError } from './engine-error.ts';
import type { HttpSend } from './engine-http.ts';

/** Sends calls by the internal fetch: `unreachable` when they certainly did not arrive, `timeout` when they may have. */
export function createEngineSend(internal: Pick<InternalFetch, 'send'>): HttpSend {
  return async (call) => {
    try {
      return await internal.send(call);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const what = `${call.method} ${new URL(call.url).pathname}: ${error.message}`;
      throw new EngineError(error.sent ? 'timeout' : 'unreachable', what, { cause: error });
    }
  };
}
