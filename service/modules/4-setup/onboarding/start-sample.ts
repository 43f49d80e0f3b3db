import { canInstallSample } from '@partner-portal/core/onboarding/onboarding.ts';
import { creditsOf, hasRoom } from '@partner-portal/core/quota/quota.ts';
import { sampleInput } from '@partner-portal/core/template/input.ts';
import type { TemplateBundle } from '@partner-portal/core/template/types.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { AppError, refuse } from '#platform/refuse.ts';
import { rollAndReadQuota } from '#modules/1-ledger/metering/index.ts';
import { refuseOverQuota } from '#modules/3-product/executions/index.ts';
import { type OnboardingDeps, readSampleFacts, sampleBundle } from './read-onboarding.ts';
import { isSubscriptionOver } from './store.ts';

/**
 * Starts a `test` run of the agent that needs no key, with the sample of its template. Where the agent is not installed, starts its setup instead, and
 * the run once that has succeeded.
 */
export async function startSample(deps: OnboardingDeps, context: RequestContext) {
  const { actor, now } = context;
  const bundle = sampleBundle(deps.bundles);
  if (!bundle) return refuse('not_found');
  const facts = await deps.db.asTenant(actor, async (tx) => {
    const found = await readSampleFacts(deps, tx, actor.partnerId, bundle.template.name);
    if (!found.agent && canInstallSample(found)) await refuseWithoutCredits(tx, bundle, actor.partnerId, now);
    return found;
  });
  const { agent } = facts;
  if (agent) return { ...(await deps.startTest(context, agent.id, sampleInput(bundle.sample.input, now))), attemptId: null };
  const { attemptId } = await deps.setup.install(context, bundle.template.name, () => runInstalled(deps, context, bundle));
  return { accepted: true as const, executionId: null, attemptId };
}

/** An agent that could not run afterwards is not installed. The run itself decides again. */
async function refuseWithoutCredits(tx: TenantTx, { template }: TemplateBundle, partnerId: string, now: Date): Promise<void> {
  if (await isSubscriptionOver(tx, partnerId))
    refuse('account_suspended', { detail: 'The plan of this account has ended, so its agents do not run.' });
  const { taken, limit } = creditsOf(await rollAndReadQuota(tx, partnerId, now));
  if (!hasRoom({ taken, limit }, template.creditsPerRun)) refuseOverQuota({ limit, used: taken });
}

/** Runs the agent after its setup. What refuses the run is shown when an admin starts it again. */
async function runInstalled(deps: OnboardingDeps, context: RequestContext, bundle: TemplateBundle): Promise<void> {
  const { actor, log } = context;
  const now = new Date();
  try {
    const agent = await deps.db.asTenant(
      actor,
      async (tx) => (await readSampleFacts(deps, tx, actor.partnerId, bundle.template.name)).agent,
    );
    if (agent) await deps.startTest(context, agent.id, sampleInput(bundle.sample.input, now));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.info({ code: error.code }, 'the sample run was refused after its setup');
  }
}
