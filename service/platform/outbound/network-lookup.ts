import { Resolver } from 'node:dns/promises';
import { systemLookup } from './safe-fetch.ts';
import type { Lookup } from './safe-fetch.ts';

export type NetworkLookupOptions = {
  /** Hosts named by the operator; resolved by the system, because they may be in the hosts file. */
  allowedHosts: readonly string[];
  /** `address:port` of name servers in place of the system's; for tests. */
  servers?: readonly string[];
};

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Creates a lookup that queries name servers over the network. The system's resolver uses four threads, shared with files and password
 * hashes: four names whose servers never respond would block them all for many seconds.
 */
export function createNetworkLookup(options: NetworkLookupOptions): Lookup {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (options.servers) resolver.setServers(options.servers);
  const named = new Set(options.allowedHosts.map((host) => host.toLowerCase().replace(/:\d+$/, '')));
  return async (host) => {
    if (named.has(host.toLowerCase())) return systemLookup(host);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length > 0) return found;
    // The customer can only correct the name; the reason is for the log.
    throw Object.assign(new Error(`No address was found for ${host}.`, { cause: v4.status === 'rejected' ? v4.reason : undefined }), {
      code: 'ENOTFOUND',
    });
  };
}
