import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isPublicAddress, isWebPort } from './guard-table.ts';

/** A request that was stopped before a byte left, because of where it would have gone. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor(reason: 'address' | 'port' = 'address') {
    super(reason === 'address' ? 'The address is not a public one' : 'The port is not one of web services');
  }
}

function portOf({ port, protocol }: { port: string; protocol: string }): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

function isAllowed(allowed: ReadonlySet<string>, hostname: string, port: number): boolean {
  const host = hostname.toLowerCase();
  return allowed.has(host) || allowed.has(`${host}:${port}`);
}

type LookupAnswer = (error: NodeJS.ErrnoException | null, address: { address: string; family: number }[]) => void;

/** Resolves a name, refusing it unless EVERY answer is public; the socket goes to what was checked. */
function lookupPublic(hostname: string, _options: unknown, answer: LookupAnswer): void {
  lookup(hostname, { all: true, verbatim: true }, (error, addresses) => {
    if (error) answer(error, []);
    else if (addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address))) answer(new AddressRefused(), []);
    else answer(null, addresses);
  });
}

/**
 * The dispatcher of all HTTP steps. Ports, literals, every resolved address and the connected peer are checked against
 * guard-table.ts; `allowedHosts` (`host` or `host:port`) are exempt, and those of `movedHosts` are connected to where they are served now. A host gets up to
 * `connections` at once: as many as steps may run, since a step that waits for one loses the time in which it is to be answered. Keep-alive is short, since a
 * kept socket is not checked again after a name changes.
 */
export function createGuardedAgent(
  allowedHosts: readonly string[],
  connections: number,
  movedHosts: Readonly<Record<string, string>> = {},
): Agent {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const connectTimeout = { timeout: 10_000 };
  const open = buildConnector(connectTimeout);
  // `lookup` must be handed over with the socket options; its type there is that of net.connect.
  const guarded = buildConnector({ ...connectTimeout, lookup: lookupPublic as never });
  return new Agent({
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    connections,
    pipelining: 1,
    connect: (options, callback) => {
      if (isAllowed(allowed, options.hostname, portOf(options))) {
        const [hostname, port] = movedHosts[`${options.hostname}:${portOf(options)}`]?.split(':') ?? [];
        open(hostname === undefined || port === undefined ? options : { ...options, hostname, port }, callback);
        return;
      }
      if (!isWebPort(portOf(options))) {
        callback(new AddressRefused('port'), null);
        return;
      }
      const literal = options.hostname.replace(/^\[|\]$/g, '');
      // A literal address never passes through `lookup`.
      if (isIP(literal) !== 0 && !isPublicAddress(literal)) {
        callback(new AddressRefused(), null);
        return;
      }
      guarded(options, (...[error, socket]) => {
        if (error !== null) callback(error, null);
        else if (socket.remoteAddress === undefined || !isPublicAddress(socket.remoteAddress)) {
          socket.destroy();
          callback(new AddressRefused(), null);
        } else callback(null, socket);
      });
    },
  });
}
