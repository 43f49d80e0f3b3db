import { isHeld } from '@partner-portal/core/provisioning/instance.ts';
import { actorOf } from '#platform/acting-staff.ts';
import { AppError } from '#platform/refuse.ts';
import type { AgentRequestsDeps } from '../deps.ts';
import type { Begun } from './begun.ts';
import { readInstanceStatus } from './store-due.ts';

export type InstallEnd =
  | { kind: 'succeeded'; attemptId: string }
  | { kind: 'failed'; attemptId: string | null; message: string }
  /** Nothing was tried to its end: it goes on by itself. The note says what it waits for. */
  | { kind: 'held'; note: string };

const BUSY: InstallEnd = { kind: 'held', note: 'Waits until another setup has ended.' };

/**
 * The same pipeline as staff start by hand: `provision` where nothing stands yet or the last attempt failed, `repair` where the
 * agency is ready, which installs what has no flow yet and leaves the rest running.
 */
export async function runPipeline(deps: AgentRequestsDeps, begun: Begun): Promise<InstallEnd> {
  const { partnerId, clientId, templateName, approver } = begun;
  if (!approver) return { kind: 'failed', attemptId: null, message: 'Our team has to look at this once more.' };
  const mode = begun.instance === 'ready' ? 'repair' : 'provision';
  try {
    const answer = await deps.provision(actorOf(approver, deps.clock.now()), {
      partnerId,
      clientId,
      mode,
      templateNames: [templateName],
    });
    if (answer.status === 'succeeded') return { kind: 'succeeded', attemptId: answer.attemptId };
    if (deps.isStopping()) return { kind: 'held', note: 'Goes on after a restart.' };
    const failed = answer.steps.find((step) => step.status === 'failed');
    const message = failed?.errorPublic ?? answer.instance.errorPublic ?? 'Something went wrong on our side. Please try again.';
    return { kind: 'failed', attemptId: answer.attemptId, message };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'provision_in_progress') return BUSY;
    if (error.code === 'invalid_state' && (await hasMoved(deps, begun))) return BUSY;
    const needsStaff = error.status === 401 || error.status === 403;
    return { kind: 'failed', attemptId: null, message: needsStaff ? 'Our team has to look at this once more.' : error.message };
  }
}

/** Between our look and the start another attempt came and went: what we asked for does not fit any more, the next look will. */
async function hasMoved(deps: AgentRequestsDeps, begun: Begun): Promise<boolean> {
  const status = await deps.db.asSystem('provisioning', (tx) => readInstanceStatus(tx, begun.partnerId));
  return isHeld(status) || (status === 'ready') !== (begun.instance === 'ready');
}
