import { BlockList, isIP } from 'node:net';

/**
 * Decides which addresses may be called on behalf of a customer. Everything outside the public internet is refused: private,
 * loopback, link-local, shared, documentation, benchmarking, multicast and reserved ranges (the IANA special-purpose registries),
 * and the IPv6 forms that embed an IPv4 address. The engine has a copy (engine/guard-table.ts); a test compares the two.
 */
export const SPECIAL_V4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // A public address that is the host's metadata service in Azure and returns credentials.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Special ranges inside 2000::/3; all other IPv6 is refused by `globalUnicast`. */
export const SPECIAL_V6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of SPECIAL_V4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_V6) special.addSubnet(network, prefix, 'ipv6');

const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Returns whether a literal IP address is public; false for any other text. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  // A zone ("fe80::1%eth0") names an interface of this machine.
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !special.check(address, 'ipv4');
  const mapped = mappedV4(address);
  if (mapped !== null) return isPublicAddress(mapped);
  return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 one (::ffff:a.b.c.d), which sockets connect to as IPv4. */
function mappedV4(address: string): string | null {
  const match = /^\[?(?:::|(?:0{1,4}:){5})ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))\]?$/i.exec(address);
  if (!match) return null;
  if (match[1]) return match[1];
  const high = Number.parseInt(match[2] ?? '0', 16);
  const low = Number.parseInt(match[3] ?? '0', 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * Refused ports from 1024 up: those browsers block, and common databases, caches, queues and management interfaces. Below 1024 only 80
 * and 443 are allowed. A request line sent to such a service could be taken as a command.
 */
export const SERVICE_PORTS: ReadonlySet<number> = new Set([
  1080, 1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3128, 3260, 3306, 3389, 3659, 4045, 4190, 4369, 5060,
  5061, 5432, 5433, 5671, 5672, 5900, 5984, 5985, 5986, 6000, 6379, 6443, 6566, 6660, 6661, 6662, 6663, 6664, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 7199, 8086, 8500, 8600, 9042, 9092, 9160, 9200, 9300, 10080, 10250, 10255, 11211, 15672, 26257, 27017, 27018, 27019, 28015,
]);
const FIRST_FREE_PORT = 1024;

/** Returns whether a customer's URL may use this port. */
export function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= FIRST_FREE_PORT && port <= 65_535 && !SERVICE_PORTS.has(port));
}

export type UrlProblem = 'unreadable' | 'scheme' | 'userinfo' | 'host' | 'port' | 'private_address';
export type CheckedUrl = { ok: true; url: URL } | { ok: false; problem: UrlProblem };

/**
 * Validates a URL without DNS: http(s) only, no credentials, a host, a web port, and no literal address that is not public. `URL`
 * normalizes odd spellings (decimal, hex, octal, percent signs, full-width digits and dots). Hosts in `allowed` (`host` or
 * `host:port`) are exempt from the range and port checks.
 */
export function checkUrl(text: string, allowed: ReadonlySet<string> = new Set()): CheckedUrl {
  // `URL` removes line breaks, so the text shown would differ from the URL called.
  if (/\p{Cc}/u.test(text) || !URL.canParse(text)) return { ok: false, problem: 'unreadable' };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { ok: false, problem: 'scheme' };
  if (url.username !== '' || url.password !== '') return { ok: false, problem: 'userinfo' };
  const host = plainHost(url.hostname);
  if (host === '') return { ok: false, problem: 'host' };
  if (isAllowedHost(host, portOf(url), allowed)) return { ok: true, url };
  if (isIP(host) !== 0 ? !isPublicAddress(host) : isInternalName(host)) return { ok: false, problem: 'private_address' };
  if (!isWebPort(portOf(url))) return { ok: false, problem: 'port' };
  return { ok: true, url };
}

/** Names that are internal regardless of what they resolve to. */
function isInternalName(host: string): boolean {
  const name = host.replace(/\.$/, '').toLowerCase();
  return !name.includes('.') || /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/.test(name);
}

/** Returns a URL's host without the brackets of IPv6. */
export function plainHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Returns the port of a URL, with the default of its scheme. */
export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** Returns whether the configuration exempts this host (`host` or `host:port`, lower case). */
export function isAllowedHost(host: string, port: number, allowed: ReadonlySet<string>): boolean {
  const name = host.toLowerCase();
  return allowed.has(name) || allowed.has(`${name}:${port}`);
}
