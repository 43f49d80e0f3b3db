import { isHeld } from '@partner-portal/core/provisioning/instance.ts';
import { compareFlow, type FlowDifference } from '@partner-portal/core/template/drift.ts';
import type { PieceVersions } from '@partner-portal/core/template/template.ts';
import type { TemplateBundle } from '@partner-portal/core/template/types.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { type EngineErrorKind, type EngineFlow, explainEngineError, isEngineError } from '#adapters/engine-client.ts';
import { forEach } from '#platform/for-each.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { announce } from '#platform/notify.ts';
import { refuse } from '#platform/refuse.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { readInstance } from '../views/read-automation.ts';
import { provisioningChanged } from '../views/topic.ts';
import { expectedFlow } from '../steps/import-flows.ts';
import { type FoundDrift, listReadyPartners, saveDrift } from './store-drift.ts';
import { findInstance } from '../views/store-views.ts';
import { findPartnerRef } from '#modules/2-tenancy/partners/index.ts';
import { listCopies, listTargets, type StoredCopy, type Target } from '../store-workflows.ts';

const AT_ONCE = 4;
const PARTNERS_PAGE = 50;
const DIFFERENCES_KEPT = 10;
/** Says nothing of one flow: the engine as a whole cannot be looked at. */
const AWAY: readonly EngineErrorKind[] = [
  'unreachable',
  'unhealthy',
  'wrong_password',
  'unauthorized',
  'no_piece',
  'not_configured',
  'untested_version',
];

/** Compares every installed flow of a partner with the engine, which is only read, and returns what differs. */
export async function verifyAutomation(deps: ProvisioningDeps, context: RequestContext, partnerId: string) {
  const { actor } = context;
  await deps.db.asStaff(actor, async (tx) => {
    const [partner, instance] = await Promise.all([findPartnerRef(tx, partnerId), findInstance(tx, partnerId)]);
    if (!partner) return refuse('not_found');
    if (instance && isHeld(instance.status)) return refuse('provision_in_progress', { detail: 'A setup of this agency is running.' });
    return recordAudit(tx, {
      partnerId,
      actor,
      action: 'automation_instance.verified',
      target: { type: 'automation_instance', id: partnerId, label: partner.name },
      origin: originOf(context),
    });
  });
  try {
    await checkDrift(deps, partnerId);
  } catch (error) {
    if (!isEngineError(error)) throw error;
    // Only staff compare: they read what is wrong and what to do.
    return refuse('engine_unavailable', { detail: explainEngineError(error), cause: error });
  }
  return readInstance(deps, actor, partnerId);
}

/** Checks all partners, daily. A partner that cannot be checked is logged and left for the next day. Returns how many flows have drifted. */
export async function checkAllDrift(deps: ProvisioningDeps, signal?: AbortSignal): Promise<number> {
  if (!deps.settings.engineEnabled) return 0;
  let drifted = 0;
  let after: string | null = null;
  do {
    const last: string | null = after;
    const page: string[] = await deps.db.asSystem('provisioning', (tx) => listReadyPartners(tx, last, PARTNERS_PAGE));
    for (const partnerId of page) {
      if (signal?.aborted) return drifted;
      const found = await checkDrift(deps, partnerId).catch((error: unknown) => {
        deps.log.warn({ err: error, partnerId }, 'the flows of an agency could not be looked at');
        return [];
      });
      drifted += found.filter((one) => one.state === 'missing' || one.state === 'changed').length;
    }
    after = page.length < PARTNERS_PAGE ? null : (page.at(-1) ?? null);
  } while (after !== null);
  return drifted;
}

/**
 * Holds each installed flow of an agency against its template. A flow for which the engine answers with an error is `unchecked`, and so are the
 * steps of a former version; the others are looked at all the same. Throws what the engine client throws when the engine is away, or answered for none in time.
 */
export async function checkDrift(deps: ProvisioningDeps, partnerId: string): Promise<FoundDrift[]> {
  const { targets, copies } = await deps.db.asSystem('provisioning', async (tx) => {
    const installed = (await listTargets(tx, { partnerId, clientId: null, templateNames: null })).filter(
      (one) => one.providerFlowId !== null,
    );
    return { targets: installed, copies: await listCopies(tx, partnerId, [...new Set(installed.map((one) => one.templateName))]) };
  });
  if (targets.length === 0) return [];
  const pieceVersions = await deps.engine.pieceVersions();
  const found: FoundDrift[] = [];
  let late: unknown;
  await forEach(targets, AT_ONCE, async (target) => {
    const one = await lookAt(deps, target, installedBundle(deps, copies, target), pieceVersions).catch((error: unknown) => {
      if (isEngineError(error, 'timeout')) late = error;
      return asUnchecked(deps, target, error);
    });
    if (one) found.push(one);
  });
  if (late !== undefined && found.every((one) => one.state === 'unchecked' && one.differences.length === 0)) throw late;
  await deps.db.asSystem('provisioning', async (tx) => {
    if (await saveDrift(tx, partnerId, found))
      await announce(tx, provisioningChanged, { partnerId, attemptId: null, clientId: null, what: 'compared' });
  });
  for (const { workflowId, state, differences } of found)
    if (state === 'missing' || state === 'changed')
      deps.log.warn({ partnerId, workflowId, state, differences }, 'a flow in the engine is not what its template says');
  return found;
}

/** The engine's error goes to the log alone. */
function asUnchecked(deps: ProvisioningDeps, { id, partnerId, providerFlowId }: Target, error: unknown): FoundDrift | undefined {
  if (!isEngineError(error) || AWAY.includes(error.kind) || providerFlowId === null) throw error;
  deps.log.warn({ err: error, partnerId, workflowId: id }, 'a flow in the engine could not be looked at');
  return { workflowId: id, providerFlowId, state: 'unchecked', differences: [] };
}

async function lookAt(
  deps: ProvisioningDeps,
  target: Target,
  bundle: TemplateBundle | undefined,
  pieceVersions: PieceVersions,
): Promise<FoundDrift | undefined> {
  if (target.providerFlowId === null) return undefined;
  const looked = { workflowId: target.id, providerFlowId: target.providerFlowId };
  const flow = await deps.engine.getFlow(target.providerFlowId);
  if (flow === null) return { ...looked, state: 'missing', differences: [] };
  const steps = bundle ? compareFlow(expectedFlow(deps, { target, bundle }, pieceVersions), flow.version) : [];
  const differences = [...steps, ...compareState(flow)];
  if (!bundle && differences.length === 0) return { ...looked, state: 'unchecked', differences: [FORMER_VERSION] };
  return { ...looked, state: differences.length === 0 ? 'none' : 'changed', differences: differences.slice(0, DIFFERENCES_KEPT) };
}

/** The installed version is older than the copy that another agent has moved on, and its bundle is no longer kept. */
const FORMER_VERSION: FlowDifference = { step: 'The flow', what: 'is of a former version of its template, whose steps are no longer kept' };

/** A flow can hold the right steps and still not be what runs. */
function compareState(flow: EngineFlow): FlowDifference[] {
  if (flow.status !== 'ENABLED') return [{ step: 'trigger', what: 'is switched off in the engine' }];
  if (flow.publishedVersionId !== flow.version.id) return [{ step: 'trigger', what: 'has changes in the engine that are not published' }];
  return [];
}

function installedBundle(deps: ProvisioningDeps, copies: readonly StoredCopy[], target: Target): TemplateBundle | undefined {
  const copy = copies.find((one) => one.templateName === target.templateName);
  const known = [copy?.definition, deps.catalog.find((one) => one.template.name === target.templateName)];
  return known.find((bundle) => bundle?.template.templateVersion === target.templateVersion);
}
