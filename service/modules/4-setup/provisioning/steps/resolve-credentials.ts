import { PROVIDER_RULES } from '@partner-portal/core/credential/provider-rules.ts';
import { missingCredentialText } from '@partner-portal/core/provisioning/missing-credential.ts';
import type { Step } from '../attempt.ts';
import { collectNeeds, type Need } from '../credential-needs.ts';
import { planInstalls } from './installs.ts';
import { StepFailed } from '../step-failed.ts';

/** Why a credential that is saved cannot be bound, for staff. */
export const NO_USABLE_KEY = 'the saved credential has no usable key';

/**
 * Fails before anything is changed when a credential was never saved. A credential that failed its last check only causes a warning, since the check may
 * be old; binding it shows whether it can be decrypted.
 */
export const resolveCredentials: Step = async (context) => {
  const { deps } = context;
  const planned = await planInstalls(context);
  const needs = collectNeeds(planned.map(({ target, bundle }) => ({ agent: target, template: bundle.template })));
  const resolved = await deps.db.asSystem('provisioning', (tx) => deps.credentials.resolveCredentials(tx, needs));
  const chosen = needs.map((need, index) => ({ need, state: resolved[index]?.row }));
  const missing = chosen.filter(({ state }) => state === undefined).map(({ need }) => need);
  if (missing.length > 0)
    throw missingCredentials(missing, 'no credential is saved', {
      missing: missing.map(({ provider, clientId }) => ({ provider, clientId })),
    });
  const warnings = chosen.flatMap(({ need, state }) => (state?.lastCheckOk === false ? [failedCheck(need, state)] : []));
  const counted = needs.length === 0 ? 'None needed' : `${needs.length} found`;
  return {
    summary: warnings.length === 0 ? counted : `${counted}, ${warnings.length} warning${warnings.length === 1 ? '' : 's'}`,
    warnings,
    metadata: {
      needs: chosen.map(({ need, state }) => ({
        provider: need.provider,
        clientId: need.clientId,
        level: state?.clientId === null ? 'agency' : 'client',
      })),
    },
  };
};

/**
 * The failure naming the steps that lack a credential; for staff also whose and of which service. `metadata` holds the ids of the clients whose
 * names are in the text, by which a purge finds them.
 */
export function missingCredentials(missing: readonly Need[], why: string, metadata: { [key: string]: unknown }): StepFailed {
  const text = missingCredentialText(missing.flatMap((need) => need.stepLabels));
  const say = (ownerOf: (need: Need) => string | null): string => {
    const list = missing.map((need) => `provider=${need.provider} for ${ownerOf(need) ?? 'the agency'} (${need.stepLabels.join(', ')})`);
    return `${text}. CredentialUnresolved, ${why}: ${list.join('; ')}`;
  };
  return new StepFailed({ internal: say((need) => need.clientName), public: text }, { metadata, logged: say((need) => need.clientId) });
}

function failedCheck(need: Need, state: { lastCheckAt: Date | null }): string {
  const checked = state.lastCheckAt === null ? '' : ` on ${state.lastCheckAt.toISOString().slice(0, 10)}`;
  return `${PROVIDER_RULES[need.provider].title} for ${need.clientName ?? 'the agency'} failed its last check${checked}. It was used anyway.`;
}
