import { BlockList, isIP } from 'node:net';

/**
 * Which addresses may be reached on behalf of a customer. Everything that is not plainly part of the public internet is
 * refused: private, loopback, link-local, shared, documentation, benchmarking, multicast and reserved ranges (the IANA
 * special-purpose registries), and the IPv6 forms that carry an IPv4 address inside.
 * Source: specification, Outbound webhook endpoint and Errors ("resolves to a private or internal address").
 */
const V4_RANGES: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Only 2000::/3 is handed out as public; the rest of IPv6 is refused as a whole by the second list. */
const V6_RANGES: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of V4_RANGES) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of V6_RANGES) special.addSubnet(network, prefix, 'ipv6');

const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** True when a literal IP address belongs to the public internet. Anything that is no address is not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  // A zone ("fe80::1%eth0") names an interface of this machine.
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !special.check(address, 'ipv4');
  const mapped = mappedV4(address);
  if (mapped !== null) return isPublicAddress(mapped);
  return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** The IPv4 address inside an IPv4-mapped IPv6 one (::ffff:a.b.c.d), which sockets treat as that address. */
function mappedV4(address: string): string | null {
  const match = /^\[?(?:::|(?:0{1,4}:){5})ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))\]?$/i.exec(address);
  if (!match) return null;
  if (match[1]) return match[1];
  const high = Number.parseInt(match[2] ?? '0', 16);
  const low = Number.parseInt(match[3] ?? '0', 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

export type UrlProblem = 'unreadable' | 'scheme' | 'userinfo' | 'host' | 'private_address';
export type CheckedUrl = { ok: true; url: URL } | { ok: false; problem: UrlProblem };

/**
 * Looks at an address as far as that goes without asking the network: http(s) only, no user or password, a host, and no
 * literal address that is not public. `URL` has already turned odd spellings (decimal, hex, octal) into plain ones.
 * `allowed` lists hosts (`host` or `host:port`) that are exempt from the range check.
 */
export function checkUrl(text: string, allowed: ReadonlySet<string> = new Set()): CheckedUrl {
  if (!URL.canParse(text)) return { ok: false, problem: 'unreadable' };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { ok: false, problem: 'scheme' };
  if (url.username !== '' || url.password !== '') return { ok: false, problem: 'userinfo' };
  const host = plainHost(url.hostname);
  if (host === '') return { ok: false, problem: 'host' };
  if (isAllowedHost(host, portOf(url), allowed)) return { ok: true, url };
  if (isIP(host) !== 0 ? !isPublicAddress(host) : isInternalName(host)) return { ok: false, problem: 'private_address' };
  return { ok: true, url };
}

/** Names that never lead to the public internet, whatever a resolver says. */
function isInternalName(host: string): boolean {
  const name = host.replace(/\.$/, '').toLowerCase();
  return !name.includes('.') || /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/.test(name);
}

/** A URL's host without the brackets of IPv6. */
export function plainHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The port a URL leads to. */
export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** Whether configuration exempts this host (`host` or `host:port`, lower case). */
export function isAllowedHost(host: string, port: number, allowed: ReadonlySet<string>): boolean {
  const name = host.toLowerCase();
  return allowed.has(name) || allowed.has(`${name}:${port}`);
}
