import { Resolver } from 'node:dns/promises';
import type { TxtAnswer } from '@partner-portal/core/tenancy/domain-check.ts';

/** Returns the texts of the TXT records of a name. Never rejects. */
export type TxtLookup = (name: string) => Promise<TxtAnswer>;

const TIMEOUT_MS = 3_000;
const TRIES = 2;
/** More than anyone needs; the rest of an answer is ignored. */
const VALUES_MAX = 50;
const VALUE_LENGTH_MAX = 255;

/** Creates a lookup that queries name servers over the network: those of `servers` (`address` or `address:port`), or else the system's. */
export function createTxtLookup({ servers, timeoutMs = TIMEOUT_MS }: { servers: readonly string[]; timeoutMs?: number }): TxtLookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES, maxTimeout: timeoutMs });
  if (servers.length > 0) resolver.setServers(servers);
  return async (name) => {
    try {
      const records = await resolver.resolveTxt(name);
      const values = records.slice(0, VALUES_MAX).map((parts) => parts.join('').slice(0, VALUE_LENGTH_MAX).trim());
      return values.length === 0 ? { kind: 'none' } : { kind: 'found', values };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      return { kind: code === 'ENOTFOUND' || code === 'ENODATA' ? 'none' : 'unanswered' };
    }
  };
}
