import type { AttemptMode } from '@partner-portal/contract/vocabulary.ts';
import { transitionInstance } from '@partner-portal/core/provisioning/instance.ts';
import { collapseStages } from '@partner-portal/core/provisioning/provisioning.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { findPartnerRef } from '#modules/2-tenancy/partners/index.ts';
import {
  type AttemptRow,
  findInstance,
  findPublicState,
  listAttempts,
  listDrift,
  listNewestWorkflows,
  listPublicSteps,
  listShownWorkflows,
  listSteps,
  type PublicState,
  type PublicStep,
  type StepRow,
  type WorkflowRow,
} from './store-views.ts';

type Deps = Pick<ProvisioningDeps, 'db' | 'catalog' | 'settings'>;

const ATTEMPTS_LISTED = 50;

/** The instance as staff see it; `unprovisioned` for a partner that was never set up. */
export async function readInstance(deps: Deps, actor: Actor, partnerId: string) {
  return deps.db.asStaff(actor, (tx) => instanceOf(deps, tx, partnerId));
}

async function instanceOf(deps: Deps, tx: SystemTx, partnerId: string) {
  const [partner, row, { rows: workflows, counts }] = await Promise.all([
    findPartnerRef(tx, partnerId),
    findInstance(tx, partnerId),
    listShownWorkflows(tx, partnerId),
  ]);
  if (!partner) return refuse('not_found');
  const drift = await listDrift(
    tx,
    partnerId,
    workflows.map(({ workflowId }) => workflowId),
  );
  const driftOf = new Map(drift.map((one) => [one.workflowId, one]));
  return {
    partnerId,
    provider: row?.provider ?? partner.automationProvider ?? deps.settings.provider,
    status: row?.status ?? 'unprovisioned',
    tenancyMode: row?.tenancyMode ?? deps.settings.tenancyMode,
    projectId: row?.projectId ?? null,
    baseUrl: row?.baseUrl ?? null,
    provisionedAt: row?.provisionedAt ?? null,
    lastError: row?.lastError ?? null,
    errorPublic: row?.errorPublic ?? null,
    // No static engine key exists, so none is stored.
    apiKeyEncrypted: null,
    currentAttemptId: row?.currentAttemptId ?? null,
    canRepair: row !== undefined && transitionInstance(row.status, 'repair', row.lastMode ?? undefined).ok,
    updatedAt: row?.updatedAt ?? null,
    workflowCount: counts.total,
    installedCount: counts.installed,
    installedClientCount: counts.clients,
    workflows: workflows.map((workflow) => ({
      ...workflow,
      latestTemplateVersion: latestVersion(deps, workflow),
      drift: driftOf.get(workflow.workflowId) ?? null,
    })),
  };
}

/** The catalog's version, or the installed one of a template that is no longer offered. */
export function latestVersion(deps: Pick<Deps, 'catalog'>, workflow: Pick<WorkflowRow, 'templateName' | 'templateVersion'>): number {
  const bundle = deps.catalog.find((one) => one.template.name === workflow.templateName);
  return bundle?.template.templateVersion ?? workflow.templateVersion ?? 0;
}

/** The newest fifty attempts. */
export async function readAttempts(deps: Deps, actor: Actor, partnerId: string): Promise<AttemptRow[]> {
  return deps.db.asStaff(actor, async (tx) => {
    const [partner, rows] = await Promise.all([findPartnerRef(tx, partnerId), listAttempts(tx, partnerId, ATTEMPTS_LISTED)]);
    return partner ? rows : refuse('not_found');
  });
}

/** The steps of one attempt, or of the latest; empty without attempts. */
export async function readSteps(deps: Deps, actor: Actor, partnerId: string, attemptId: string | undefined) {
  return deps.db.asStaff(actor, async (tx) => {
    const [partner, [attempt]] = await Promise.all([findPartnerRef(tx, partnerId), listAttempts(tx, partnerId, 1, attemptId ?? null)]);
    if (!partner || (attemptId !== undefined && !attempt)) return refuse('not_found');
    if (!attempt) return { attempt: null, steps: [] };
    return { attempt, steps: (await listSteps(tx, attempt.id)).map(stepAnswer) };
  });
}

/** A step as the contract's provisioningStep. */
export function stepAnswer(row: StepRow) {
  const { startedAt, finishedAt } = row;
  return {
    ...row,
    durationMs: startedAt && finishedAt ? finishedAt.getTime() - startedAt.getTime() : null,
    metadata: toJsonObject(row.metadata),
  };
}

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

function toJsonObject(value: object): { [key: string]: Json } {
  return value as { [key: string]: Json }; // a jsonb column: it was JSON when it was stored
}

export async function readProvisionAnswer(deps: Deps, actor: Actor, partnerId: string, attemptId: string) {
  return deps.db.asStaff(actor, async (tx) => {
    const instance = await instanceOf(deps, tx, partnerId);
    const [attempt] = await listAttempts(tx, partnerId, 1, attemptId);
    const steps = await listSteps(tx, attemptId);
    if (!attempt) throw new Error('An attempt vanished.');
    return { attemptId, status: attempt.status, instance, steps: steps.map(stepAnswer) };
  });
}

/**
 * The view of a partner: four stages, the public error, its newest agents, of one client where `clientId` names it. Staff can read one partner's view by naming
 * it, else the house partner's. Reads only columns the tenant role may read.
 */
export async function readMyAutomation(deps: Deps, actor: Actor, query: { partnerId?: string | undefined; clientId?: string | undefined }) {
  const { partnerId, clientId } = query;
  return inScope(deps.db, actor, partnerId, async (tx) => {
    const scope = actor.role === 'ADMIN' ? (partnerId ?? actor.partnerId) : actor.partnerId;
    if (actor.role === 'ADMIN' && !(await findPartnerRef(tx, scope))) return refuse('not_found');
    const [view, { rows: workflows, total }] = await Promise.all([
      publicViewOf(tx, scope),
      listNewestWorkflows(tx, { partnerId: scope, clientId: clientId ?? null }),
    ]);
    if (clientId !== undefined) await refuseUnknownScope(tx, { partnerId: scope, clientId }, total);
    return {
      workflowCount: total,
      status: view.state.status,
      stages: view.stages,
      errorPublic: view.state.errorPublic,
      provisionedAt: view.state.provisionedAt,
      attempt: attemptOf(view.state),
      workflows: workflows.map(({ providerFlowId, ...workflow }) => ({
        ...workflow,
        latestTemplateVersion: latestVersion(deps, workflow),
        installed: providerFlowId !== null && workflow.templateVersion !== null,
      })),
    };
  });
}

export type PublicView = { state: PublicState; steps: PublicStep[]; stages: ReturnType<typeof collapseStages> };

/** State and stages of the attempt that holds the instance or held it last. */
export async function publicViewOf(tx: Tx, partnerId: string): Promise<PublicView> {
  const state = await findPublicState(tx, partnerId);
  if (!state) throw new Error('A row of constants was not read.');
  const steps = state.attemptId === null ? [] : await listPublicSteps(tx, partnerId, state.attemptId);
  const stages = collapseStages(
    steps.map((step) => ({
      stage: step.stage,
      status: step.status,
      startedAt: step.startedAt?.toISOString() ?? null,
      finishedAt: step.finishedAt?.toISOString() ?? null,
    })),
  );
  return { state, steps, stages };
}

export function attemptOf(state: PublicState): { id: string; mode: AttemptMode; startedAt: Date; finishedAt: Date | null } | null {
  if (state.attemptId === null || state.mode === null || state.startedAt === null) return null;
  return { id: state.attemptId, mode: state.mode, startedAt: state.startedAt, finishedAt: state.finishedAt };
}
