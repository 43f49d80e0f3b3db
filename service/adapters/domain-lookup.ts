import { Resolver } from 'node:dns/promises';
import type { AddressAnswer, TxtAnswer } from '@partner-portal/core/tenancy/domain-check.ts';

/** What name servers say about a name. Nothing here rejects. */
export type DomainLookup = {
  /** The texts of its TXT records. */
  texts: (name: string) => Promise<TxtAnswer>;
  /** Whether it leads to an address, IPv4 or IPv6, by itself or through a CNAME record. */
  address: (name: string) => Promise<AddressAnswer>;
};

const TIMEOUT_MS = 3_000;
const TRIES = 2;
/** More than anyone needs; the rest of an answer is ignored. */
const VALUES_MAX = 50;
const VALUE_LENGTH_MAX = 255;

/** Creates a lookup that queries name servers over the network: those of `servers` (`address` or `address:port`), or else the system's. */
export function createDomainLookup({ servers, timeoutMs = TIMEOUT_MS }: { servers: readonly string[]; timeoutMs?: number }): DomainLookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES, maxTimeout: timeoutMs });
  if (servers.length > 0) resolver.setServers(servers);
  return {
    texts: async (name) => {
      try {
        const records = await resolver.resolveTxt(name);
        const values = records.slice(0, VALUES_MAX).map((parts) => parts.join('').slice(0, VALUE_LENGTH_MAX).trim());
        return values.length === 0 ? { kind: 'none' } : { kind: 'found', values };
      } catch (error) {
        return { kind: isWithoutRecord(error) ? 'none' : 'unanswered' };
      }
    },
    address: async (name) => {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      if (answers.some((answer) => answer.status === 'fulfilled' && answer.value.length > 0)) return 'found';
      const isNone = answers.every((answer) => answer.status === 'fulfilled' || isWithoutRecord(answer.reason));
      return isNone ? 'none' : 'unanswered';
    },
  };
}

/** The servers answered that there is no such record, which other failures leave open. */
function isWithoutRecord(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
