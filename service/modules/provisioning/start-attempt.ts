import { moveInstance, statesThatAllow } from '@house/core/instance.ts';
import { STEP_LISTS, stageOf } from '@house/core/provisioning.ts';
import type { AttemptMode } from '@house/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import { announce } from '#platform/notify.ts';
import { refuse } from '#platform/refuse.ts';
import { type Origin, recordAudit } from '#modules/audit/index.ts';
import type { Attempt } from './attempt.ts';
import type { ProvisioningDeps } from './deps.ts';
import { claimInstance, insertAttempt, lockInstance } from './store-attempts.ts';
import { addWorkflows, clientExists, findPartner, listTargets, type PartnerFacts, type Target } from './store-workflows.ts';
import { provisioningChanged } from './topic.ts';

export type AttemptRequest = {
  partnerId: string;
  mode: Extract<AttemptMode, 'provision' | 'repair'>;
  templateNames?: readonly string[] | undefined;
  clientId?: string | undefined;
  /** Repair only; true when left out. */
  refreshTemplates?: boolean | undefined;
};

const ACTIONS = { provision: 'automation_instance.provision_requested', repair: 'automation_instance.reprovision_requested' } as const;

/**
 * Makes the attempt with all its steps, the agents it is to install, and the audit line of who asked: one transaction.
 * Refuses when the instance is held or in a state that does not allow it. A repair is claimed here, since it has no claim step.
 */
export async function startAttempt(deps: ProvisioningDeps, actor: Actor, request: AttemptRequest, origin?: Origin): Promise<Attempt> {
  return deps.db.asStaff(actor, async (tx) => {
    const partner = await requirePartner(tx, request.partnerId);
    if (request.clientId !== undefined && !(await clientExists(tx, partner.id, request.clientId))) return refuse('not_found');
    refuseUnknownTemplates(deps, request.templateNames ?? []);
    const provider = partner.automationProvider ?? deps.settings.provider;
    const instance = await lockInstance(tx, { partnerId: partner.id, provider, tenancyMode: deps.settings.tenancyMode });
    const move = moveInstance(instance.status, request.mode);
    if (!move.ok) return refuse(move.code, { detail: whyNot(instance.status, request.mode) });
    const targets = await chooseTargets(deps, tx, request);
    const refreshTemplates = request.mode === 'repair' && (request.refreshTemplates ?? true);
    const id = newId();
    const number = await insertAttempt(tx, {
      id,
      partnerId: partner.id,
      mode: request.mode,
      requestedBy: actor.userId,
      clientId: request.clientId ?? null,
      templateNames: [...new Set(targets.map((target) => target.templateName))],
      refreshTemplates,
      steps: STEP_LISTS[request.mode].map((name) => ({ name, stage: stageOf(name) })),
    });
    const claimed = request.mode === 'repair';
    if (claimed) {
      const from = statesThatAllow(request.mode);
      await claimInstance(tx, {
        partnerId: partner.id,
        attemptId: id,
        from,
        to: move.to,
        timeoutMinutes: deps.settings.provisionTimeoutMinutes,
      });
    }
    await recordAudit(tx, {
      partnerId: partner.id,
      clientId: request.clientId ?? null,
      actor,
      action: ACTIONS[request.mode],
      target: { type: 'automation_instance', id: partner.id, label: partner.name },
      changes: { attempt: [null, number], agents: [null, targets.length] },
      origin,
    });
    await announce(tx, provisioningChanged, { partnerId: partner.id, attemptId: id });
    const { projectId } = instance;
    const workflowIds = targets.map((target) => target.id);
    return {
      id,
      number,
      partnerId: partner.id,
      mode: request.mode,
      clientId: request.clientId ?? null,
      workflowIds,
      refreshTemplates,
      requestedBy: actor.userId,
      claimed,
      projectId,
    };
  });
}

/** An agency that may be provisioned: not the house partner, and not suspended. */
async function requirePartner(tx: SystemTx, partnerId: string): Promise<PartnerFacts> {
  const partner = await findPartner(tx, partnerId);
  if (!partner) return refuse('not_found');
  if (partner.isHouse) return refuse('invalid_state', { detail: 'The reserved house partner is never provisioned.' });
  if (partner.status !== 'active') return refuse('invalid_state', { detail: 'This agency is suspended.' });
  return partner;
}

function refuseUnknownTemplates(deps: ProvisioningDeps, names: readonly string[]): void {
  const offered = new Set(deps.catalog.filter((bundle) => bundle.template.isActive).map((bundle) => bundle.template.name));
  const errors = names.flatMap((name, index) =>
    offered.has(name)
      ? []
      : [{ field: `templateNames.${index}`, code: 'unknown_template', message: `The catalog offers no template "${name}".` }],
  );
  if (errors.length > 0) refuse('validation_failed', { detail: 'A template is not in the catalog.', errors });
}

function whyNot(status: string, mode: string): string {
  if (status === 'provisioning' || status === 'deprovisioning') return 'Another setup of this agency is running. Wait until it has ended.';
  if (mode === 'provision') return 'This agency is set up already. Use reprovision to install or repair agents.';
  return 'This agency is not ready. Use provision: it updates what is there and does the work of a repair.';
}

/**
 * The agents of the attempt. With names: the agency's (or client's) agents of these templates, added where there is none yet.
 * Without: all its agents, or the whole active catalog when it has none (product.md §9, row 11).
 */
async function chooseTargets(deps: ProvisioningDeps, tx: SystemTx, request: AttemptRequest): Promise<Target[]> {
  const scope = { partnerId: request.partnerId, clientId: request.clientId ?? null };
  const names = request.templateNames === undefined ? null : [...new Set(request.templateNames)];
  const present = await listTargets(tx, { ...scope, templateNames: names });
  const wanted =
    names ?? (present.length > 0 ? [] : deps.catalog.filter((bundle) => bundle.template.isActive).map((bundle) => bundle.template.name));
  const absent = wanted.filter((name) => !present.some((target) => target.templateName === name));
  if (absent.length === 0) return present;
  const fresh = deps.catalog
    .map((bundle) => bundle.template)
    .filter((template) => absent.includes(template.name))
    .map((template) => ({
      templateName: template.name,
      name: template.title,
      description: template.summary,
      creditsPerRun: template.creditsPerRun,
    }));
  await addWorkflows(tx, scope.partnerId, scope.clientId, fresh);
  return listTargets(tx, { ...scope, templateNames: names });
}
