import { transitionInstance, statesThatAllow } from '@partner-portal/core/provisioning/instance.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { Step } from '../attempt.ts';
import { KNOWN_PROVIDERS } from '../deps.ts';
import { AttemptOver, ClaimLost, StepFailed } from '../step-failed.ts';
import { claimForAttempt } from '../change-instance.ts';
import { writeInstance } from '../store-attempts.ts';
import { findPartnerRef } from '#modules/2-tenancy/partners/index.ts';

const NOT_AVAILABLE = 'Setup is not available right now. Please contact support.';

/** Fails unless AUTOMATION_ENGINE_ENABLED is exactly `true`, the rollback switch. */
export const featureGate: Step = async ({ deps }) => {
  if (deps.settings.engineEnabled) return { summary: 'Engine is switched on' };
  throw new StepFailed({
    internal: 'The automation engine is switched off: AUTOMATION_ENGINE_ENABLED is not exactly "true".',
    public: NOT_AVAILABLE,
  });
};

/** Resolves the partner's engine: its own choice, else AUTOMATION_PROVIDER. */
export const partnerLookup: Step = async ({ deps, attempt }) => {
  const partner = await deps.db.asSystem('provisioning', (tx) => findPartnerRef(tx, attempt.partnerId));
  if (!partner) throw new StepFailed({ internal: `The partner ${attempt.partnerId} is gone.`, public: NOT_AVAILABLE });
  const provider = partner.automationProvider ?? deps.settings.provider;
  if (!KNOWN_PROVIDERS.includes(provider)) {
    const internal = `The partner names the automation provider "${provider}"; known: ${KNOWN_PROVIDERS.join(', ')}.`;
    throw new StepFailed({ internal, public: NOT_AVAILABLE });
  }
  const summary = partner.automationProvider === null ? 'Provider from the default' : 'Provider of its own';
  return { summary, metadata: { provider } };
};

/**
 * Claims the instance: of concurrent attempts one gets it, the other ends as `provision_in_progress`. A recreate has held it since its start and
 * only records the tenancy mode.
 */
export const claim: Step = async (context) => {
  const { deps, attempt } = context;
  const claimed = { partnerId: attempt.partnerId, attemptId: attempt.id };
  const writeSettings = async (tx: SystemTx): Promise<boolean> => {
    const partner = await findPartnerRef(tx, attempt.partnerId);
    const provider = partner?.automationProvider ?? deps.settings.provider;
    return writeInstance(tx, claimed, { provider, tenancyMode: deps.settings.tenancyMode });
  };
  if (context.claimed) {
    const write = async (tx: SystemTx): Promise<void> => {
      if (!(await writeSettings(tx))) throw new AttemptOver();
    };
    return { summary: `Held by attempt ${attempt.number}`, write };
  }
  const move = transitionInstance('unprovisioned', 'provision');
  if (!move.ok) throw new ClaimLost();
  return {
    summary: `Claimed for attempt ${attempt.number}`,
    write: async (tx) => {
      const got = await claimForAttempt(tx, {
        ...claimed,
        from: statesThatAllow('provision'),
        to: move.to,
        timeoutMinutes: deps.settings.provisionTimeoutMinutes,
      });
      if (!got) throw new ClaimLost();
      await writeSettings(tx);
    },
  };
};
