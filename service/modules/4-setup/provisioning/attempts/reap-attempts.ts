import { TIMED_OUT_TEXT } from '@partner-portal/core/provisioning/provisioning.ts';
import { announce } from '#platform/notify.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { endOverdue } from './change-instance.ts';
import { provisioningChanged } from '../views/topic.ts';

const BATCH = 100;

/**
 * Ends what is older than AUTOMATION_PROVISION_TIMEOUT_MINUTES, whatever kept it: a crash left it, or a step hangs. The attempt
 * becomes `timed_out`, the instance `failed`, from where Provision may be tried again. A runner that still lives writes nothing
 * afterwards, since each of its writes asks for a running attempt. Source: specification, Automation instance.
 */
export async function reapOverdueAttempts(deps: Pick<ProvisioningDeps, 'db' | 'settings' | 'log'>): Promise<number> {
  const minutes = deps.settings.provisionTimeoutMinutes;
  const text = { internal: `No end within ${minutes} minutes: the reaper ended this attempt.`, public: TIMED_OUT_TEXT };
  const reaped = await deps.db.asSystem('sweep', async (tx) => {
    const ended = await endOverdue(tx, minutes, BATCH, text);
    for (const { partnerId, attemptId } of ended) await announce(tx, provisioningChanged, { partnerId, attemptId });
    return ended;
  });
  if (reaped.length > 0) deps.log.warn({ reaped: reaped.length, capped: reaped.length >= BATCH }, 'overdue setups were ended');
  return reaped.length;
}
