import type { StepContext } from '../attempt.ts';
import { collectNeeds, type Need } from '../credential-needs.ts';
import { ensureTenant, resolveEndpoint, verifyConnectivity } from './connect.ts';
import { expectedFlow } from './import-flows.ts';
import { planInstalls } from './installs.ts';
import { featureGate, partnerLookup } from './prepare.ts';
import { missingCredentials, NO_USABLE_KEY, resolveCredentials } from './resolve-credentials.ts';

/** The engine answers a check of its worker within a second; without a worker it does not answer at all. */
const WORKER_BUDGET_MS = 15_000;

/**
 * Checks that a provision of the same agents would find everything it needs, and throws what it would throw. Nothing of the agency is changed: of
 * the outcomes only a project of the agency that the engine had to create is kept, since whether its plan allows one is known only by creating it.
 */
export async function checkRebuild(context: StepContext): Promise<void> {
  const { deps } = context;
  for (const look of [featureGate, partnerLookup, resolveEndpoint, verifyConnectivity, resolveCredentials]) await look(context);
  const planned = await planInstalls(context);
  const needs = collectNeeds(planned.map(({ target, bundle }) => ({ agent: target, template: bundle.template })));
  const lacking = await deps.db.asSystem('provisioning', async (tx) => {
    const bindable = new Set<Need>();
    for (const need of needs) if (await deps.credentials.canBind(tx, need)) bindable.add(need);
    return needs.filter((need) => !bindable.has(need));
  });
  if (lacking.length > 0) throw missingCredentials(lacking, NO_USABLE_KEY, {});
  const pieceVersions = await deps.engine.pieceVersions();
  for (const plan of planned) expectedFlow(deps, plan, pieceVersions);
  // In a copy: the teardown looks for flows and connections in the recorded project.
  const rebuilt: StepContext = { ...context };
  await ensureTenant(rebuilt);
  // The embedded engine has no workers apart from itself.
  if (!deps.settings.embedded && rebuilt.projectId !== null) await deps.engine.demandWorker(rebuilt.projectId, WORKER_BUDGET_MS);
}
