import { isHeld, statesThatAllow, transitionInstance } from '@partner-portal/core/provisioning/instance.ts';
import { STEP_LISTS, stageOf } from '@partner-portal/core/provisioning/provisioning.ts';
import type { AttemptMode, InstanceStatus } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import { announce } from '#platform/notify.ts';
import { refuse } from '#platform/refuse.ts';
import { type Origin, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { Attempt } from '../attempt.ts';
import { providersOf } from '../credential-needs.ts';
import type { CredentialNeed, ProvisioningDeps } from '../deps.ts';
import { claimForAttempt } from '../change-instance.ts';
import { insertAttempt, lockInstance } from '../store-attempts.ts';
import { findPartnerRef, type PartnerRef } from '#modules/2-tenancy/partners/index.ts';
import { readFirstTexts } from '#modules/3-product/agents/index.ts';
import { requireClient } from './require-client.ts';
import { addWorkflows, listTargets, type Target } from '../store-workflows.ts';
import { provisioningChanged } from '../views/topic.ts';

export type AttemptRequest = {
  partnerId: string;
  mode: AttemptMode;
  templateNames?: readonly string[] | undefined;
  clientId?: string | undefined;
  /** Only the agency's own agents, not those of its clients. */
  agencyWide?: boolean | undefined;
  /** Only agents that have a flow: none is added, and one that was never installed stays so. */
  installedOnly?: boolean | undefined;
  /** Whether stored copies are replaced although the catalog holds no newer version. Left out: in a repair, and only there. */
  refreshTemplates?: boolean | undefined;
  /** Deprovision only: the agency's slug, as a person typed it. */
  confirm?: string | undefined;
};

const ACTIONS = {
  provision: 'automation_instance.provision_requested',
  repair: 'automation_instance.reprovision_requested',
  recreate: 'automation_instance.reprovision_requested',
  deprovision: 'automation_instance.deprovision_requested',
} as const satisfies { [mode in AttemptMode]: string };

/**
 * Creates the attempt with its steps, the agents to install and the audit entry, in one transaction. Refuses when the instance is held or its
 * status does not allow it. All modes but a provision claim the instance here.
 */
export async function startAttempt(deps: ProvisioningDeps, actor: Actor, request: AttemptRequest, origin?: Origin): Promise<Attempt> {
  return deps.db.asStaff(actor, (tx) => writeAttempt(deps, tx, actor, request, origin));
}

/** The same in a transaction of the caller, which has asserted that the actor may ask for it. */
export async function writeAttempt(
  deps: ProvisioningDeps,
  tx: SystemTx,
  actor: Actor,
  request: AttemptRequest,
  origin?: Origin,
): Promise<Attempt> {
  const partner = await requirePartner(tx, request);
  if (request.clientId !== undefined) await requireClient(tx, partner.id, request.clientId);
  refuseUnknownTemplates(deps, request.templateNames ?? []);
  const provider = partner.automationProvider ?? deps.settings.provider;
  const instance = await lockInstance(tx, { partnerId: partner.id, provider, tenancyMode: deps.settings.tenancyMode });
  const move = transitionInstance(instance.status, request.mode, instance.lastMode ?? undefined);
  if (!move.ok) return refuse(move.code, { detail: whyNot(instance.status, request.mode) });
  const targets = request.mode === 'deprovision' ? [] : await chooseTargets(deps, tx, request);
  const refreshTemplates = request.mode !== 'provision' && (request.refreshTemplates ?? request.mode === 'repair');
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
  const claimed = request.mode !== 'provision';
  if (claimed) {
    const from = statesThatAllow(request.mode, instance.lastMode ?? undefined);
    await claimForAttempt(tx, {
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
    changes: { attempt: [null, number], mode: [null, request.mode], agents: [null, targets.length] },
    origin,
  });
  await announce(tx, provisioningChanged, { partnerId: partner.id, attemptId: id, clientId: request.clientId ?? null, what: 'begun' });
  const { projectId, tenancyMode } = instance;
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
    tenancyMode,
  };
}

/** Requires a partner that can be provisioned: not the house partner, not suspended. A suspended one can be deprovisioned by its slug. */
async function requirePartner(tx: SystemTx, { partnerId, mode, confirm }: AttemptRequest): Promise<PartnerRef> {
  const partner = await findPartnerRef(tx, partnerId);
  if (!partner) return refuse('not_found');
  if (partner.isHouse) return refuse('invalid_state', { detail: 'The reserved house partner is never provisioned.' });
  if (mode === 'deprovision') return confirm === partner.slug ? partner : refuseUnconfirmed(confirm);
  if (partner.status !== 'active') return refuse('invalid_state', { detail: 'This agency is suspended.' });
  return partner;
}

function refuseUnconfirmed(confirm: string | undefined): never {
  const missing = confirm === undefined || confirm === '';
  const message = missing
    ? 'Enter the slug of the agency: this deletes what is installed for it.'
    : 'This is not the slug of the agency whose automation would be deleted.';
  return refuse('validation_failed', {
    detail: 'Deprovision requires the slug of the agency in "confirm". Nothing was deleted.',
    errors: [{ field: 'confirm', code: missing ? 'required' : 'mismatch', message }],
  });
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

function whyNot(status: InstanceStatus, mode: AttemptMode): string {
  if (isHeld(status)) return 'Another setup of this agency is running. Wait until it has finished.';
  switch (mode) {
    case 'deprovision':
      return 'Nothing is set up for this agency.';
    case 'provision':
      return 'This agency is already set up. Use reprovision to install or repair agents.';
    case 'repair':
    case 'recreate':
      return 'This agency is not ready. Use provision: it also updates and repairs what is installed.';
  }
}

/**
 * The agents of the attempt. A recreate rebuilds every installed agent, since its teardown removes them all; names and client only add to them.
 * An agent that was never installed (for example for want of a credential) blocks neither a recreate nor a repair unless it is named.
 */
async function chooseTargets(deps: ProvisioningDeps, tx: SystemTx, request: AttemptRequest): Promise<Target[]> {
  if (request.installedOnly) return (await listChosen(tx, request)).filter((one) => one.providerFlowId !== null);
  const chosen = await chooseNamed(deps, tx, request);
  if (request.mode === 'repair' && request.templateNames === undefined) return leaveOutUnready(deps, tx, chosen);
  if (request.mode !== 'recreate') return chosen;
  const all = await listTargets(tx, { partnerId: request.partnerId, clientId: null, templateNames: null });
  const isNamed = (one: Target): boolean => request.templateNames !== undefined && chosen.some((other) => other.id === one.id);
  const wanted = all.filter((one) => one.providerFlowId !== null || isNamed(one));
  return wanted.length > 0 ? wanted : chosen;
}

/** Installed agents and those that could be installed now; all when there are none, so that the attempt reports what they lack. */
async function leaveOutUnready({ catalog, credentials }: ProvisioningDeps, tx: SystemTx, targets: readonly Target[]): Promise<Target[]> {
  const needs = targets.map(({ providerFlowId, partnerId, clientId, templateName }) => {
    const bundle = providerFlowId === null ? catalog.find((one) => one.template.name === templateName) : undefined;
    return bundle ? providersOf(bundle.template).map((provider) => ({ partnerId, clientId, provider })) : [];
  });
  const missing = new Set<CredentialNeed>(await credentials.listMissing(tx, needs.flat()));
  const ready = targets.filter((_target, index) => !needs[index]?.some((need) => missing.has(need)));
  return ready.length > 0 ? ready : [...targets];
}

/**
 * With names: the partner's (or client's) agents of these templates, added where missing. Without: all its agents, or the whole active catalog
 * when it has none.
 */
async function chooseNamed(deps: ProvisioningDeps, tx: SystemTx, request: AttemptRequest): Promise<Target[]> {
  const present = await listChosen(tx, request);
  const wanted =
    request.templateNames ??
    (present.length > 0 ? [] : deps.catalog.filter((bundle) => bundle.template.isActive).map((bundle) => bundle.template.name));
  const absent = wanted.filter((name) => !present.some((target) => target.templateName === name));
  if (absent.length === 0) return present;
  const owner = { partnerId: request.partnerId, clientId: request.clientId ?? null };
  const textsOf = await readFirstTexts(tx, owner);
  const fresh = deps.catalog
    .map((bundle) => bundle.template)
    .filter((template) => absent.includes(template.name))
    .map((template) => ({
      templateName: template.name,
      name: template.title,
      description: template.summary,
      config: textsOf(template),
      creditsPerRun: template.creditsPerRun,
    }));
  await addWorkflows(tx, owner.partnerId, owner.clientId, fresh);
  return listChosen(tx, request);
}

/** The agents that are there, of the requested scope and templates. */
function listChosen(tx: SystemTx, { partnerId, clientId, agencyWide = false, templateNames }: AttemptRequest): Promise<Target[]> {
  const names = templateNames === undefined ? null : [...new Set(templateNames)];
  return listTargets(tx, { partnerId, clientId: clientId ?? null, agencyWide, templateNames: names });
}
