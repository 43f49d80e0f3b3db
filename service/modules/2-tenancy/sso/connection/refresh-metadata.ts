import { setTimeout as delay } from 'node:timers/promises';
import { SamlFault, type SamlMetadata } from '#adapters/saml.ts';
import { OidcFault } from '#adapters/oidc.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { createKeyedLimiter } from '#platform/keyed-limiter.ts';
import { refuse } from '#platform/refuse.ts';
import type { SsoDeps } from '../deps.ts';
import { requirePlan } from '../require-plan.ts';
import {
  claimMetadata,
  type ConnectionRow,
  findConnection,
  findSsoContext,
  listStaleMetadata,
  writeMetadata,
  writeProviderRead,
} from '../store.ts';
import { labelOf, toRecord } from './connection-answer.ts';
import { providerOf } from './provider.ts';

const DAY_MS = 86_400_000;
/** Between two readings that failing logins cause. */
const AGAIN_MS = 60_000;
/** How long a login waits for the reading of another one: longer than fetching and checking a document take by their limits. */
const READING_MS = 15_000;
const LOOK_MS = 250;
/** The problem that is shown during a reading for a login: a login that finds another one has nothing to wait for. */
const READING = 'Its metadata is being read again.';
const TOO_BUSY = 'Too many checks are running right now.';
const NOT_READ = 'The last reading was interrupted.';
const BATCH = 50;
const AT_ONCE = 4;

type Stale = Awaited<ReturnType<typeof listStaleMetadata>>[number];
/** Metadata that may be adopted, or the reason why it may not. */
type MetadataRead = SamlMetadata | { problem: string };

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
  const read = await readAgain(deps, connection);
  // Not read at all: the next sweep tries again.
  if (read === null) return;
  await deps.db.asSystem('sweep', (tx) => writeMetadata(tx, connection, read, now));
}

/** Reads metadata of the same provider; null when there was no turn for it. */
async function readAgain(
  deps: SsoDeps,
  { partnerId, metadataUrl, idpEntityId }: Omit<Stale, 'configuredAt'>,
): Promise<MetadataRead | null> {
  return deps.saml.readMetadata(partnerId, metadataUrl).then(
    (provider) => (provider.entityId === idpEntityId ? provider : { problem: 'The metadata describes another provider now.' }),
    (error: unknown) => {
      if (!(error instanceof SamlFault)) throw error;
      return error.kind === 'busy' ? null : { problem: error.message };
    },
  );
}

/**
 * Reads the metadata once more for a login that an unknown key signed, or whose metadata has ended: at most once a minute, and adopts it when it
 * is of the same entity and sends people to the same origin. Logins that arrive during the reading wait for it. Returns the connection as it is then; null
 * when nothing changed.
 */
export async function refreshForLogin(deps: SsoDeps, connection: ConnectionRow, now: Date): Promise<ConnectionRow | null> {
  const { metadataUrl, idpEntityId, idpSsoUrl } = connection;
  if (!metadataUrl || !idpEntityId || !idpSsoUrl) return null;
  const isClaimed = await deps.db.asSystem('login', (tx) =>
    claimMetadata(tx, connection, new Date(now.getTime() - AGAIN_MS), now, READING),
  );
  if (!isClaimed) return awaitReading(deps, connection, now);
  const read = await readAgain(deps, { ...connection, metadataUrl, idpEntityId }).catch(async (error: unknown) => {
    await deps.db.asSystem('login', (tx) => writeMetadata(tx, connection, { problem: NOT_READ }, null));
    throw error;
  });
  if (read === null) {
    await deps.db.asSystem('login', (tx) => writeMetadata(tx, connection, { problem: TOO_BUSY }, null));
    return null;
  }
  const isOther = !('problem' in read) && originOfUrl(read.ssoUrl) !== originOfUrl(idpSsoUrl);
  const kept: MetadataRead = isOther
    ? { problem: 'The metadata sends people to another host now. Read it again on the settings page.' }
    : read;
  return deps.db.asSystem('login', async (tx) => {
    if ('problem' in kept) {
      await writeMetadata(tx, connection, kept, null);
      return null;
    }
    await writeMetadata(tx, connection, kept, now);
    const fresh = await findConnection(tx, connection.partnerId);
    return fresh?.configuredAt.getTime() === connection.configuredAt.getTime() ? fresh : null;
  });
}

/** Returns the connection with newer metadata, once a reading that is under way, perhaps in another process, has stored it; null when there is none. */
async function awaitReading(deps: SsoDeps, held: ConnectionRow, now: Date): Promise<ConnectionRow | null> {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const row = await deps.db.asSystem('login', (tx) => findConnection(tx, held.partnerId));
    if (row?.configuredAt.getTime() !== held.configuredAt.getTime()) return null;
    const readAt = row.metadataReadAt?.getTime() ?? 0;
    if (readAt > (held.metadataReadAt?.getTime() ?? 0)) return row;
    const triedAt = row.metadataTriedAt?.getTime() ?? 0;
    const isReading = triedAt > readAt && triedAt > now.getTime() - READING_MS && row.metadataProblem === READING;
    if (!isReading || waitedMs >= READING_MS) return null;
    await delay(LOOK_MS);
  }
}

/** Reads the provider again for an admin: allowed while enforced, as a provider changes its keys at any time. */
export async function refreshConnection(deps: SsoDeps, caller: RequestContext) {
  const { actor, now } = caller;
  const row = await deps.db.asTenant(actor, async (tx) => {
    requirePlan(await findSsoContext(tx, actor));
    return (await findConnection(tx, actor.partnerId)) ?? refuse('invalid_state', { detail: 'Save a connection first.' });
  });
  const read = await readProvider(deps, row);
  return deps.db.asTenant(actor, async (tx) => {
    if (read.protocol === 'saml') await writeMetadata(tx, row, read.metadata, now);
    else await writeProviderRead(tx, row, read.read, now);
    await recordAudit(tx, {
      partnerId: actor.partnerId,
      actor,
      action: 'sso.metadata_read',
      target: { type: 'sso_connection', id: actor.partnerId, label: labelOf(row) },
      origin: originOf(caller),
    });
    const context = await findSsoContext(tx, actor);
    return context ? toRecord(deps, context, await findConnection(tx, actor.partnerId)) : refuse('not_found');
  });
}

async function readProvider(
  deps: SsoDeps,
  row: ConnectionRow,
): Promise<{ protocol: 'saml'; metadata: MetadataRead } | { protocol: 'oidc'; read: { logoutUrl: string | null } | { problem: string } }> {
  const { metadataUrl, idpEntityId } = row;
  if (metadataUrl && idpEntityId) {
    const metadata = await readAgain(deps, { ...row, metadataUrl, idpEntityId });
    if (metadata === null)
      return refuse('service_unavailable', {
        detail: `${TOO_BUSY} Try again in a minute.`,
        retryAfterSeconds: 10,
      });
    return { protocol: 'saml', metadata };
  }
  if (row.protocol === 'saml')
    return refuse('invalid_state', { detail: 'This metadata was pasted. Change the connection to paste it again.' });
  const provider = providerOf(deps.dataKeys, row);
  if (provider.protocol !== 'oidc') throw new Error(`The connection of partner ${row.partnerId} is incomplete.`);
  const read = await deps.oidc.check(provider).catch((error: unknown) => {
    if (error instanceof OidcFault) return { problem: error.message };
    throw error;
  });
  return { protocol: 'oidc', read };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function originOfUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
