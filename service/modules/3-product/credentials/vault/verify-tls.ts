import type { CredentialData } from '@partner-portal/core/credential/credential.ts';
import { sqlTlsState } from '@partner-portal/core/credential/credential.ts';
import type { CheckOutcome } from '#adapters/provider-check.ts';
import { recordFact } from '#platform/facts.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';
import { SealFault } from '#platform/seal-fault.ts';
import type { CredentialsDeps } from '../deps.ts';
import { credentialCheckChanged } from '../facts.ts';
import { type CredentialRow, recordUse } from '../store.ts';
import { claimUntested, recordTls, type TlsOutcome } from '../store-tls.ts';

/** `tls`: what the test showed about a key of before certificates were verified. */
export type SqlCheck = CheckOutcome & { tls?: TlsOutcome };

type Deps = Pick<CredentialsDeps, 'db' | 'sealing' | 'checkProvider'>;
type SqlData = CredentialData['postgres'];

const BATCH = 10;
/** A database that did not answer is asked again after this time. */
const AGAIN_HOURS = 6;

/** Tests a SQL key. One of an earlier version is tried with a verified certificate first, and without where only that fails. */
export async function checkSqlKey(deps: Pick<CredentialsDeps, 'checkProvider'>, row: CredentialRow, data: SqlData): Promise<SqlCheck> {
  if (row.tls !== 'untested' && row.tls !== 'failed') return deps.checkProvider(row.partnerId, 'postgres', data);
  const verified = await deps.checkProvider(row.partnerId, 'postgres', data);
  const tls = outcomeOf(data, verified);
  if (tls === null) return verified;
  if (tls.state !== 'failed') return { ...verified, tls };
  const trusting = await deps.checkProvider(row.partnerId, 'postgres', { ...data, ssl: { verify: false } });
  return { ...trusting, message: trusting.ok ? `The database answered, but ${lowerFirst(verified.message)}` : trusting.message, tls };
}

/** Null when the database was not reached: nothing is known then. Any other refusal says that the connection got past the certificate. */
function outcomeOf(data: SqlData, { ok, reason, message }: CheckOutcome): TlsOutcome | null {
  if (ok) return { state: sqlTlsState(data.ssl), problem: null };
  if (reason === 'unreachable' || reason === 'private_address') return null;
  return reason === 'certificate' ? { state: 'failed', problem: message } : { state: sqlTlsState(data.ssl), problem: null };
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/**
 * Cron `credentials.verify-tls`: tests some of the SQL keys that were saved before certificates were verified. A key that passes is verified from
 * then on; a key that fails keeps working without verification, and its owner gets an alert.
 */
export async function verifyOldKeys(deps: Deps, { log }: Pick<JobContext, 'log'>): Promise<void> {
  const keys = await deps.db.asSystem('credentials', async (tx) => {
    const opened: { row: CredentialRow; data: SqlData }[] = [];
    for (const row of await claimUntested(tx, BATCH, AGAIN_HOURS)) {
      try {
        opened.push({ row, data: deps.sealing.open(row, row) });
        await recordUse(tx, row, 'test', { type: 'system', id: null });
      } catch (error) {
        // A key that does not open is of no use to anyone, and says so where it is used.
        if (!(error instanceof SealFault)) throw error;
        log.warn({ err: error, credentialId: row.id }, 'sql key not tested: it does not open');
      }
    }
    return opened;
  });
  await Promise.all(
    keys.map(async ({ row, data }) => {
      const check: CheckOutcome =
        data.ssl === false ? { ok: true, message: '' } : await deps.checkProvider(row.partnerId, 'postgres', data);
      const outcome = outcomeOf(data, check);
      if (outcome === null) return;
      const { partnerId, clientId, provider } = row;
      await deps.db.asSystem('credentials', async (tx) => {
        if (await recordTls(tx, row, outcome)) await recordFact(tx, credentialCheckChanged, { partnerId, clientId, provider });
      });
    }),
  );
}
