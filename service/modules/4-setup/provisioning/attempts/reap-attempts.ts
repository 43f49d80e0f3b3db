import { TIMED_OUT_TEXT } from '@partner-portal/core/provisioning/provisioning.ts';
import { announce } from '#platform/notify.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { endOverdue } from '../change-instance.ts';
import { provisioningChanged } from '../views/topic.ts';

const BATCH = 100;

/**
 * Ends attempts older than AUTOMATION_PROVISION_TIMEOUT_MINUTES: attempt `timed_out`, instance `failed`, from where Provision can be retried.
 * A runner that is still alive writes nothing afterwards, since each write requires a running attempt.
 */
export async function reapOverdueAttempts(deps: Pick<ProvisioningDeps, 'db' | 'settings' | 'log'>): Promise<number> {
  const minutes = deps.settings.provisionTimeoutMinutes;
  const text = { internal: `No end within ${minutes} minutes: this attempt was ended.`, public: TIMED_OUT_TEXT };
  const reaped = await deps.db.asSystem('sweep', async (tx) => {
    const ended = await endOverdue(tx, minutes, BATCH, text);
    for (const { partnerId, attemptId } of ended)
      await announce(tx, provisioningChanged, { partnerId, attemptId, clientId: null, what: 'ended' });
    return ended;
  });
  if (reaped.length > 0) deps.log.warn({ reaped: reaped.length, capped: reaped.length >= BATCH }, 'overdue provisioning attempts ended');
  return reaped.length;
}
