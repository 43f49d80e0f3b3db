import { isIPv6 } from 'node:net';

const NETWORK_GROUPS = 4;
const SITE_GROUPS = 3;

/**
 * Returns the address a limit counts for. The owner of one IPv6 address has all 2^64 of its network, so these count as one caller; an
 * IPv4 address, also one written as IPv6, counts as itself. Other texts are returned unchanged.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = address.split('%', 1)[0] ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const left = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: left }, () => '0'), ...after];
  return `${groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Returns the network that one owner has as a rule, of an address as limits count it (`networkOf`): 2^8 of IPv4, a /48 of IPv6. */
export function siteOf(network: string): string {
  const parts = network.split('.');
  if (parts.length === 4) return `${parts.slice(0, 3).join('.')}.0/24`;
  return network.endsWith('::/64') ? `${network.split(':').slice(0, SITE_GROUPS).join(':')}::/48` : network;
}
