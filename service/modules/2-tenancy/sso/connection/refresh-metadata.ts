import { SamlFault } from '#adapters/saml.ts';
import { createKeyedLimiter } from '#platform/keyed-limiter.ts';
import type { SsoDeps } from '../deps.ts';
import { listStaleMetadata, writeMetadata } from '../store.ts';

const DAY_MS = 86_400_000;
const BATCH = 50;
const AT_ONCE = 4;

type Stale = Awaited<ReturnType<typeof listStaleMetadata>>[number];

/**
 * Reads the metadata of SAML providers daily, so new certificates are known before old ones expire. A few in parallel and one per host, so
 * a slow or failing provider does not delay the others.
 */
export async function refreshMetadata(deps: SsoDeps): Promise<void> {
  const now = deps.clock.now();
  const stale = await deps.db.asSystem('sweep', (tx) => listStaleMetadata(tx, new Date(now.getTime() - DAY_MS), BATCH));
  const inTurn = createKeyedLimiter({ total: AT_ONCE, perKey: 1 });
  const reads = await Promise.allSettled(stale.map((one) => inTurn(hostOf(one.metadataUrl), () => refreshOne(deps, one, now))));
  for (const read of reads) if (read.status === 'rejected') throw read.reason;
}

async function refreshOne(deps: SsoDeps, connection: Stale, now: Date): Promise<void> {
  const read = await deps.saml.readMetadata(connection.partnerId, connection.metadataUrl).then(
    (provider) => (provider.entityId === connection.idpEntityId ? provider : { problem: 'The metadata describes another provider now.' }),
    (error: unknown) => {
      if (!(error instanceof SamlFault)) throw error;
      if (error.kind === 'busy') return null;
      return { problem: error.message };
    },
  );
  // Not read at all: the next sweep tries again.
  if (read === null) return;
  await deps.db.asSystem('sweep', (tx) => writeMetadata(tx, connection, read, now));
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
