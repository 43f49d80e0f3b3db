import { isHeld } from '@partner-portal/core/provisioning/instance.ts';
import { actorOf } from '#modules/2-tenancy/identity/index.ts';
import { AppError } from '#platform/refuse.ts';
import type { AgentRequestsDeps } from '../deps.ts';
import type { Installation } from './installation.ts';
import { findRequest, NO_MORE_AGENTS } from '../store.ts';
import { readInstanceStatus } from './store-due.ts';

export type InstallEnd =
  | { kind: 'succeeded'; attemptId: string }
  | { kind: 'failed'; attemptId: string | null; message: string }
  /** Postponed; continues automatically. The note says what it waits for. */
  | { kind: 'held'; note: string };

const BUSY: InstallEnd = { kind: 'held', note: 'Waiting for another setup to finish.' };
const SUSPENDED_NOW: InstallEnd = { kind: 'held', note: 'Continues when the agency is active again.' };
const RESTARTING: InstallEnd = { kind: 'held', note: 'Continues after a restart.' };

/**
 * Runs the provisioning pipeline: `repair` when the instance is ready, which installs what has no flow and keeps the rest running, else
 * `provision`.
 */
export async function runPipeline(deps: AgentRequestsDeps, installation: Installation): Promise<InstallEnd> {
  const { partnerId, clientId, templateName, workflowId, approver } = installation;
  if (workflowId === null) return { kind: 'failed', attemptId: null, message: NO_MORE_AGENTS };
  if (!approver) return { kind: 'failed', attemptId: null, message: 'Our team needs to review this again.' };
  const mode = installation.instance === 'ready' ? 'repair' : 'provision';
  try {
    const answer = await deps.provision(actorOf(approver, deps.clock.now()), {
      partnerId,
      clientId,
      mode,
      templateNames: [templateName],
    });
    if (answer.status === 'succeeded') return { kind: 'succeeded', attemptId: answer.attemptId };
    if (deps.isStopping()) return RESTARTING;
    const failed = answer.steps.find((step) => step.status === 'failed');
    const message = failed?.errorPublic ?? answer.instance.errorPublic ?? 'Something went wrong on our side. Please try again.';
    return { kind: 'failed', attemptId: answer.attemptId, message };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'provision_in_progress') return deps.isStopping() ? RESTARTING : BUSY;
    if (error.code === 'invalid_state' && (await isSuspended(deps, installation))) return SUSPENDED_NOW;
    if (error.code === 'invalid_state' && (await hasMoved(deps, installation))) return BUSY;
    const needsStaff = error.status === 401 || error.status === 403;
    return { kind: 'failed', attemptId: null, message: needsStaff ? 'Our team needs to review this again.' : error.message };
  }
}

/** Whether the agency was suspended between the start and the attempt. */
async function isSuspended(deps: AgentRequestsDeps, { id }: Installation): Promise<boolean> {
  const request = await deps.db.asSystem('provisioning', (tx) => findRequest(tx, id));
  return request !== undefined && request.partnerStatus !== 'active';
}

/** Whether the instance changed between our read and the start, so that the chosen mode no longer fits. */
async function hasMoved(deps: AgentRequestsDeps, installation: Installation): Promise<boolean> {
  const status = await deps.db.asSystem('provisioning', (tx) => readInstanceStatus(tx, installation.partnerId));
  return isHeld(status) || (status === 'ready') !== (installation.instance === 'ready');
}
