import { lookup } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';

/** Every special-purpose range: what HTTP steps must never reach unless the host is allowed by name. */
const SPECIAL_RANGES: [string, number, 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.31.196.0', 24, 'ipv4'],
  ['192.52.193.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['192.175.48.0', 24, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['::', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
  ['5f00::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

const special = new BlockList();
for (const [net, prefix, family] of SPECIAL_RANGES) special.addSubnet(net, prefix, family);

/** Whether a literal IP address is public; mapped IPv4 counts as the IPv4 it maps. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  return !special.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** A request that was stopped before a byte left, because of where it would have gone. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('The address is not a public one');
  }
}

function isAllowed(allowed: ReadonlySet<string>, hostname: string, port: string, protocol: string): boolean {
  const effectivePort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  const host = hostname.toLowerCase();
  return allowed.has(host) || allowed.has(`${host}:${effectivePort}`);
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
 * The dispatcher of all HTTP steps. Literals, every resolved address and the connected peer are checked against the
 * table above; `allowedHosts` (`host` or `host:port`) are exempt. Keep-alive is short, since a kept socket is not
 * checked again after a name changes.
 */
export function createGuardedAgent(allowedHosts: readonly string[]): Agent {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const connectTimeout = { timeout: 10_000 };
  const open = buildConnector(connectTimeout);
  // `lookup` must be handed over with the socket options; its type there is that of net.connect.
  const guarded = buildConnector({ ...connectTimeout, lookup: lookupPublic as never });
  return new Agent({
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    connections: 64,
    pipelining: 1,
    connect: (options, callback) => {
      if (isAllowed(allowed, options.hostname, options.port, options.protocol)) {
        open(options, callback);
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
