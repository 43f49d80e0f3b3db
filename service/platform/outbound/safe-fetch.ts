import { lookup as lookupName } from 'node:dns';
import { isIP } from 'node:net';
import { checkUrl, isAllowedHost, isPublicAddress, plainHost } from '@partner-portal/core/network/address.ts';
import { Agent, buildConnector, request } from 'undici';
import { insideTransaction } from '../db/tx.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';

export type OutboundCall = {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** For the whole call: name resolution, connection, request, response. */
  timeoutMs: number;
  /** The response is truncated at this size. */
  answerBytesMax: number;
  /** The status is all that counts: a body that stalls, breaks or ends early is returned as far as it came, with `bodyError`. */
  bodyMayBreak?: boolean;
  signal?: AbortSignal;
};

/** Redirects are not followed: a 3xx is returned like any other response. */
export type OutboundAnswer = {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  truncated: boolean;
  /** Set only for a call whose body may break. */
  bodyError?: OutboundError;
};

/** A response that is read as it arrives. Reading throws `OutboundError` past the deadline, past the limit of bytes, or when it breaks. */
export type OutboundStream = { status: number; headers: Record<string, string>; body: AsyncIterable<Buffer> };

export type SafeFetch = {
  /** Calls an address that came from outside. Throws `OutboundError`. */
  call(call: OutboundCall): Promise<OutboundAnswer>;
  /** The same with a body that arrives over time. It must be read to its end, or its reading ended, which ends the connection. */
  stream(call: OutboundCall): Promise<OutboundStream>;
  /** Refuses an address that must not be called (`bad_address`, `private_address`, `name_not_found`), as `call` would. */
  check(url: string): Promise<void>;
  /** The same for a host, for protocols other than HTTP; returns the only addresses to connect to. */
  resolveHost(host: string, port: number): Promise<string[]>;
  close(): Promise<void>;
};

export type Lookup = (host: string) => Promise<{ address: string; family: number }[]>;

export type SafeFetchOptions = {
  /** `host` or `host:port` exempt from the check; empty in production. */
  allowedHosts: readonly string[];
  /** Most sockets to one host; 32 when left out. */
  connectionsPerHost?: number;
  /** Name resolution; the system's when left out. */
  lookup?: Lookup;
};

const HEADER_BYTES_MAX = 256 * 1024;

/**
 * Calls addresses entered by customers. A name is resolved to all its addresses, refused when any of them is not public, and the socket
 * connects to a checked address, so a name that changes in between is no risk. Literal addresses are checked without a resolver; the
 * connected peer is checked again.
 */
export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const allowed = new Set(options.allowedHosts.map((host) => host.toLowerCase()));
  const lookup = options.lookup ?? systemLookup;
  const resolveHost = async (hostname: string, port: number): Promise<string[]> => {
    const host = plainHost(hostname);
    const exempt = isAllowedHost(host, port, allowed);
    const found =
      isIP(host) === 0
        ? await lookup(host).catch((error: unknown) => Promise.reject(toOutboundError(error)))
        : [{ address: host, family: isIP(host) }];
    if (found.length === 0) throw new OutboundError('name_not_found', false);
    if (!exempt && found.some(({ address }) => !isPublicAddress(address))) throw new OutboundError('private_address', false);
    return found.map(({ address }) => address);
  };
  const agent = buildAgent(resolveHost, allowed, options.connectionsPerHost ?? 32);
  const readUrl = (text: string): URL => {
    const checked = checkUrl(text, allowed);
    if (checked.ok) return checked.url;
    throw new OutboundError(checked.problem === 'private_address' ? 'private_address' : 'bad_address', false);
  };
  const send = async (call: OutboundCall) => {
    refuseInsideTransaction();
    const url = readUrl(call.url);
    // One deadline for the call: the library's separate timeouts never end a slow drip.
    const deadline = AbortSignal.timeout(call.timeoutMs);
    const explain = (error: unknown): OutboundError =>
      toOutboundError(deadline.aborted && !(error instanceof OutboundError) ? deadline.reason : error);
    const signal = call.signal ? AbortSignal.any([deadline, call.signal]) : deadline;
    const answer = await request(url, {
      dispatcher: agent,
      method: call.method as 'POST', // any token is a method; the type lists the common ones
      ...(call.headers ? { headers: call.headers } : {}),
      ...(call.body === undefined ? {} : { body: call.body }),
      signal,
      headersTimeout: call.timeoutMs,
      bodyTimeout: call.timeoutMs,
    }).catch((error: unknown) => Promise.reject(explain(error)));
    return { answer, explain };
  };
  return {
    resolveHost,
    async check(text) {
      refuseInsideTransaction();
      const url = readUrl(text);
      await resolveHost(url.hostname, Number(url.port || (url.protocol === 'https:' ? 443 : 80)));
    },
    async call(call) {
      const { answer, explain } = await send(call);
      const { body, truncated, error } = await readUpTo(answer.body, call.answerBytesMax);
      const bodyError = error === undefined ? undefined : explain(error);
      if (bodyError && !call.bodyMayBreak) throw bodyError;
      return { status: answer.statusCode, headers: flatten(answer.headers), body, truncated, ...(bodyError ? { bodyError } : {}) };
    },
    async stream(call) {
      const { answer, explain } = await send(call);
      return { status: answer.statusCode, headers: flatten(answer.headers), body: bounded(answer.body, call.answerBytesMax, explain) };
    },
    close: () => agent.destroy(),
  };
}

/** Refuses network calls between BEGIN and COMMIT: a slow peer would hold locks and a connection. */
export function refuseInsideTransaction(): void {
  if (insideTransaction()) throw new Error('An outbound call was made inside a transaction: commit first.');
}

function buildAgent(resolveHost: SafeFetch['resolveHost'], allowed: ReadonlySet<string>, connections: number): Agent {
  const pinned = (port: number) =>
    buildConnector({
      timeout: 10_000,
      lookup: ((host: string, _options: unknown, done: (error: Error | null, addresses: { address: string; family: number }[]) => void) => {
        resolveHost(host, port).then(
          (addresses) =>
            done(
              null,
              addresses.map((address) => ({ address, family: isIP(address) })),
            ),
          (error: Error) => done(error, []),
        );
      }) as never, // the socket option of node:net, which the connector's type does not list
    });
  return new Agent({
    // The status of a response counts, however many headers a proxy adds; the library reads 16 KiB of them by default.
    maxHeaderSize: HEADER_BYTES_MAX,
    // A reused socket is not checked again after a name changes.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    connections,
    connect(target, callback) {
      const host = plainHost(target.hostname);
      const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
      const exempt = isAllowedHost(host, port, allowed);
      // A literal address never reaches `lookup`.
      if (!exempt && isIP(host) !== 0 && !isPublicAddress(host)) return callback(new OutboundError('private_address', false), null);
      pinned(port)(target, (...[error, socket]) => {
        if (error) return callback(error, null);
        if (!exempt && socket.remoteAddress !== undefined && !isPublicAddress(socket.remoteAddress)) {
          socket.destroy();
          return callback(new OutboundError('private_address', false), null);
        }
        return callback(null, socket);
      });
    },
  });
}

/** Resolves a name by the system's resolver, in one of the process's four shared threads. */
export function systemLookup(host: string): Promise<{ address: string; family: number }[]> {
  return new Promise((resolve, reject) => {
    lookupName(host, { all: true, verbatim: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}

/** Reads at most `bytesMax`; `error` is set when the body broke before its end. */
async function readUpTo(
  stream: AsyncIterable<Buffer> & { destroy(): unknown },
  bytesMax: number,
): Promise<{ body: Buffer; truncated: boolean; error?: unknown }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.length;
      chunks.push(chunk);
      if (size > bytesMax) {
        stream.destroy();
        return { body: Buffer.concat(chunks).subarray(0, bytesMax), truncated: true };
      }
    }
    return { body: Buffer.concat(chunks), truncated: false };
  } catch (error) {
    return { body: Buffer.concat(chunks), truncated: true, error };
  }
}

async function* bounded(
  stream: AsyncIterable<Buffer>,
  bytesMax: number,
  explain: (error: unknown) => OutboundError,
): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > bytesMax) throw new OutboundError('broken_answer', true);
      yield chunk;
    }
  } catch (error) {
    throw explain(error);
  }
}

/** Joins repeated headers into single texts. */
export function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  return flat;
}
