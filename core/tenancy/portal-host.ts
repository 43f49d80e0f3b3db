import { parse } from 'tldts';

/**
 * Host names of client portals: what an agency may name, and the form in which hosts are compared. Browser-safe.
 */
export type HostProblem = 'not_a_host' | 'address' | 'own_host' | 'public_suffix' | 'local';
export type ParsedHost = { ok: true; host: string } | { ok: false; problem: HostProblem; message: string };

const MESSAGES: Readonly<Record<HostProblem, string>> = {
  not_a_host: 'Enter a host name such as portal.agency.com, without https:// and without a path.',
  address: 'Enter a name, not an IP address.',
  own_host: 'This host belongs to the portal itself. Use a name of your own.',
  public_suffix: 'This is a public suffix, under which anyone can register a name. Enter a host name of your own below it.',
  local: 'This name is not reachable from the internet.',
};
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
/** Endings that never lead to a public server (RFC 6761, RFC 8375, RFC 9476). */
const LOCAL = /(?:^|\.)(?:localhost|local|internal|home\.arpa|onion|alt|invalid)$/;
const HOST_MAX = 253;
/** Room for the label of the TXT record in front of the host. */
const CLAIM_MAX = HOST_MAX - '_portal-verification.'.length;

/** Returns the host of a `Host` header in the form of a claim: lower case, in ASCII, without port and final dot; null for anything else. */
export function comparableHost(header: string): string | null {
  const host = header
    .trim()
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '');
  return host.length <= HOST_MAX && isHostName(host) ? host : null;
}

/** Checks the host that an agency names. `ownHost` is where the service itself is; neither it nor a name below it can be claimed. */
export function parsePortalHost(text: string, ownHost: string): ParsedHost {
  const typed = text.trim().replace(/\.$/, '');
  if (/[\s/\\?#@:%[\]]/.test(typed) || typed === '') return refused('not_a_host');
  // The URL parser maps look-alikes of ASCII letters and converts the rest to punycode (UTS 46).
  const url = `http://${typed}/`;
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : '';
  const { isIp, publicSuffix, domain } = parse(host, { allowPrivateDomains: true });
  if (isIp) return refused('address');
  if (!isHostName(host) || host.length > CLAIM_MAX) return refused('not_a_host');
  if (LOCAL.test(host)) return refused('local');
  if (host === ownHost || host.endsWith(`.${ownHost}`)) return refused('own_host');
  if (!host.includes('.')) return refused('not_a_host');
  if (domain === null || host === publicSuffix) return refused('public_suffix');
  return { ok: true, host };
}

/** Whether a request for this host can be for an agency: a name of several labels that is no address. */
export function mayBeClaimed(host: string): boolean {
  return host.includes('.') && !/^\d+(?:\.\d+){3}$/.test(host);
}

/** The TXT record that proves a claim. */
export function proofName(host: string): string {
  return `_portal-verification.${host}`;
}

/** Returns where a portal with this host is: scheme and port of the service's own address. */
export function addressOfHost(publicBaseUrl: string, host: string): string {
  const url = new URL(publicBaseUrl);
  url.hostname = host;
  return url.origin;
}

function isHostName(host: string): boolean {
  return host.split('.').every((label) => LABEL.test(label));
}

function refused(problem: HostProblem): ParsedHost {
  return { ok: false, problem, message: MESSAGES[problem] };
}
