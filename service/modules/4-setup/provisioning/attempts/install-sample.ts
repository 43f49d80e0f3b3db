import { sampleSetup, type SampleSetup } from '@partner-portal/core/onboarding/onboarding.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf } from '#modules/1-ledger/audit/index.ts';
import { findPartnerRef } from '#modules/2-tenancy/partners/index.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { lookAtHealth } from '../views/look-at-engine.ts';
import { findLastAttempt } from '../views/store-views.ts';
import type { Attempt } from '../attempt.ts';
import type { RunningAttempts } from './provision.ts';
import { writeAttempt } from './start-attempt.ts';
import { lockInstance } from '../store-attempts.ts';

export type SetupOfSample = {
  setup: SampleSetup;
  /** The attempt that installs the template now, or failed to. */
  attemptId: string | null;
  errorPublic: string | null;
};

type Deps = Pick<ProvisioningDeps, 'settings'>;

/** How an agency stands with a template that its admins can have installed: the catalog's first one without connections, and no other. */
export async function readSetupOfSample({ settings }: Deps, tx: Tx, partnerId: string, templateName: string): Promise<SetupOfSample> {
  const row = await findLastAttempt(tx, partnerId);
  if (!row) throw new Error('A row of constants was not read.');
  const { instance, attemptId, mode, attemptStatus: status, templateNames, errorPublic } = row;
  const attempt = mode && status ? { mode, status, templateNames: templateNames ?? [] } : null;
  const setup = sampleSetup({ isOn: settings.engineEnabled, instance, attempt }, templateName);
  return {
    setup,
    attemptId: setup === 'running' || setup === 'failed' ? attemptId : null,
    errorPublic: setup === 'failed' ? errorPublic : null,
  };
}

/**
 * Starts the attempt that installs the template for the whole agency, with the asking admin as acting user: a provision, or a repair when the instance
 * is ready, as for an approved agent request. While such an attempt runs, that one is returned: two admins make one setup. The caller has
 * asserted that the actor is an admin of the agency. `afterwards` runs in this process once the attempt has succeeded.
 */
export async function installSample(
  deps: ProvisioningDeps,
  running: RunningAttempts,
  context: Pick<RequestContext, 'actor' | 'address' | 'userAgent' | 'requestId'>,
  templateName: string,
  afterwards: (attemptId: string) => Promise<void>,
): Promise<{ attemptId: string }> {
  const { actor } = context;
  const { partnerId } = actor;
  running.refuseWhileStopping();
  if (!deps.settings.engineEnabled)
    return refuse('engine_unavailable', { detail: 'Setups are switched off right now. Please contact support.' });
  // Before the attempt: one that fails marks the instance as failed, also one that was ready.
  if ((await lookAtHealth(deps)).health === 'down')
    return refuse('engine_unavailable', {
      detail: 'The automation platform does not answer right now. Nothing was changed; please try again.',
    });
  const started = await deps.db.asSystem('provisioning', async (tx): Promise<{ attemptId: string; attempt?: Attempt }> => {
    const partner = await findPartnerRef(tx, partnerId);
    const provider = partner?.automationProvider ?? deps.settings.provider;
    // Locked first: what is read next stays as it is until the attempt is written.
    const { status } = await lockInstance(tx, { partnerId, provider, tenancyMode: deps.settings.tenancyMode });
    const last = await findLastAttempt(tx, partnerId);
    const { setup } = await readSetupOfSample(deps, tx, partnerId, templateName);
    if (setup === 'running') {
      if (last?.attemptId && last.mode !== 'deprovision' && last.templateNames?.includes(templateName))
        return { attemptId: last.attemptId };
      return refuse('provision_in_progress', { detail: 'Your automation is being set up right now. Try again when that has finished.' });
    }
    if (setup === 'closed')
      return refuse('invalid_state', {
        detail: 'Your platform team removed your automation. Request the agent to have it set up again.',
      });
    const mode = status === 'ready' ? 'repair' : 'provision';
    const request = { partnerId, mode, templateNames: [templateName], agencyWide: true } as const;
    const attempt = await writeAttempt(deps, tx, actor, request, originOf(context));
    return { attemptId: attempt.id, attempt };
  });
  const { attemptId, attempt } = started;
  if (attempt)
    running
      .run(attempt, async (end) => {
        if (end === 'succeeded') await afterwards(attemptId);
      })
      // The attempt records its outcome itself.
      .catch(() => undefined);
  return { attemptId };
}
