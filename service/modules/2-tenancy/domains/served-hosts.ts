import { isDeepStrictEqual } from 'node:util';
import { addressOfHost, comparableHost, mayBeClaimed } from '@partner-portal/core/tenancy/portal-host.ts';
import { z } from 'zod';
import type { Database } from '#platform/db/tx.ts';
import type { FindOwnHost, OwnHost } from '#platform/http/own-host.ts';
import type { Log } from '#platform/log.ts';
import { defineTopic, type Notices } from '#platform/notify.ts';
import type { BrandRow } from '#modules/2-tenancy/install/index.ts';
import { listServed } from './store.ts';

/** A domain was verified, stopped, changed or removed; or, announced by triggers, the look or the plan of an agency that has one. */
export const domainsChanged = defineTopic('domains_changed', z.object({}));

/** How long the list is used before it is read again: while no notices arrive, a change shows this late. */
const FRESH_MS = 15_000;

export type ServedHosts = {
  find: FindOwnHost;
  /** Reads the list again before it is used next. */
  forget(): void;
  /** How many hosts are kept. */
  size(): number;
  close(): void;
};

export type ServedHostsDeps = {
  db: Database;
  notices: Notices | null;
  log: Log;
  baseUrl: string;
  /** The elements in the head of an agency's page that make it installable. */
  linksOf: (brand: BrandRow) => { manifestUrl: string; touchIconUrl: string };
  freshMs?: number;
};

/**
 * Knows the verified hosts of all agencies. They are kept as one list, so that a host that is no one's costs neither a query nor memory,
 * however many such hosts are asked for. The service's own host and addresses are never looked up.
 */
export function createServedHosts(deps: ServedHostsDeps): ServedHosts {
  const { freshMs = FRESH_MS } = deps;
  const own = new URL(deps.baseUrl);
  let hosts: ReadonlyMap<string, OwnHost> | null = null;
  let readAt = -Infinity;
  let generation = 0;
  let reading: Promise<ReadonlyMap<string, OwnHost>> | null = null;
  const forget = (): void => {
    generation += 1;
    readAt = -Infinity;
  };
  const read = async (): Promise<ReadonlyMap<string, OwnHost>> => {
    for (;;) {
      const begun = generation;
      const rows = await deps.db.asSystem('domains', (tx) => listServed(tx));
      // Changes made while it was read may be missing.
      if (begun !== generation) continue;
      const before = hosts;
      hosts = new Map(
        rows.map(({ logoMediaId, ...row }) => {
          const { manifestUrl, touchIconUrl } = deps.linksOf({
            id: row.partnerId,
            name: row.name,
            brandColor: row.brandColor,
            logoMediaId,
          });
          const host: OwnHost = { ...row, baseUrl: addressOfHost(deps.baseUrl, row.host), manifestUrl, touchIconUrl };
          const known = before?.get(row.host);
          // Kept pages are reused only for the same object.
          return [row.host, isDeepStrictEqual(known, host) ? (known ?? host) : host];
        }),
      );
      readAt = performance.now();
      return hosts;
    }
  };
  const current = (): ReadonlyMap<string, OwnHost> | Promise<ReadonlyMap<string, OwnHost>> => {
    if (hosts && performance.now() - readAt < freshMs) return hosts;
    reading ??= read()
      .catch((error: unknown) => {
        if (!hosts) throw error;
        deps.log.warn({ err: error }, 'own domains not read');
        return hosts;
      })
      .finally(() => (reading = null));
    return reading;
  };
  const unsubscribe = deps.notices?.subscribe(domainsChanged, forget, forget);
  return {
    find(header) {
      if (header === own.host) return null;
      const host = comparableHost(header);
      if (host === null || host === own.hostname || !mayBeClaimed(host)) return null;
      const known = current();
      return known instanceof Promise ? known.then((list) => list.get(host) ?? null) : (known.get(host) ?? null);
    },
    forget,
    size: () => hosts?.size ?? 0,
    close: () => unsubscribe?.(),
  };
}
