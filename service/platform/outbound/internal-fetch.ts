import { Agent, request } from 'undici';
import { OutboundError, toOutboundError } from './outbound-error.ts';
import { flatten, refuseInsideTransaction } from './safe-fetch.ts';

export type InternalCall = {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** Ends the call early. */
  signal?: AbortSignal | undefined;
};

export type InternalAnswer = { status: number; headers: Readonly<Record<string, string>>; text: string };

export type InternalFetch = {
  /** Throws `OutboundError`; `sent` is true when the call may have arrived. */
  send(call: InternalCall): Promise<InternalAnswer>;
  close(): Promise<void>;
};

/**
 * Calls services of this installation. Their addresses are private and configured, so no address range is checked; only origins for which
 * `isOurs` returns true are called.
 */
export function createInternalFetch(isOurs: (origin: string) => boolean): InternalFetch {
  const agent = new Agent({ connections: 64, keepAliveTimeout: 30_000, pipelining: 1, connect: { timeout: 5_000 } });
  return {
    async send(call) {
      refuseInsideTransaction();
      const url = new URL(call.url);
      if (!isOurs(url.origin)) throw new OutboundError('bad_address', false, new Error(`${url.origin} is not an internal address`));
      const deadline = AbortSignal.timeout(call.timeoutMs);
      try {
        const answer = await request(url, {
          dispatcher: agent,
          method: call.method as 'POST', // any token is a method; the type lists the common ones
          ...(call.headers ? { headers: call.headers } : {}),
          ...(call.body === undefined ? {} : { body: call.body }),
          signal: call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal]),
        });
        return { status: answer.statusCode, headers: flatten(answer.headers), text: await answer.body.text() };
      } catch (error) {
        throw toOutboundError(deadline.aborted ? deadline.reason : error);
      }
    },
    close: () => agent.close(),
  };
}
