import type { AgentRequestStatus } from '@partner-portal/contract/vocabulary.ts';
import { nextAgentRequestStatus } from '@partner-portal/core/provisioning/agent-request.ts';
import { isHeld } from '@partner-portal/core/provisioning/instance.ts';
import { ensureAgent } from '#modules/3-product/agents/index.ts';
import { findActingStaff } from '#platform/acting-staff.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { readMissing } from '../answer.ts';
import { type Begun, WAIT_MS } from './begun.ts';
import type { AgentRequestsDeps } from '../deps.ts';
import { finishInstall } from './finish-install.ts';
import { queueInstalls } from './install-job.ts';
import { runPipeline } from './run-pipeline.ts';
import { lockRequest, type RequestRow, writeTurn } from '../store.ts';
import { countRun, readInstanceStatus, setDue } from './store-due.ts';

/** How long an installation may be silent before somebody looks whether it still lives. */
const SILENT_MS = 60_000;
const SYSTEM = { type: 'system', id: null } as const;

/**
 * Job `agent-requests.install`: takes up what is due, runs the pipeline, writes its end. Running twice, or two at once, makes one
 * installation: the first moves the request, the second finds nothing due. What a crash leaves in `provisioning` becomes due
 * again; installing twice changes nothing that the first time did.
 */
export async function installRequest(deps: AgentRequestsDeps, requestId: string): Promise<void> {
  const begun = await deps.db.asSystem('provisioning', (tx) => begin(deps, tx, requestId));
  if (begun) await finishInstall(deps, begun, await runPipeline(deps, begun));
}

async function begin(deps: AgentRequestsDeps, tx: SystemTx, requestId: string): Promise<Begun | undefined> {
  const row = await lockRequest(tx, requestId);
  const now = deps.clock.now();
  if (!row || row.templateName === null || !isDue(row, now)) return undefined;
  const instance = await readInstanceStatus(tx, row.partnerId);
  if (isHeld(instance)) {
    await wait(tx, row.id, now);
    return undefined;
  }
  const [missing = []] = await readMissing(deps, tx, [row]);
  if (row.status === 'provisioning_failed' && missing.length > 0) {
    // One key was saved and another is still missing: it stays as it is.
    await setDue(tx, row.id, null, missing);
    return undefined;
  }
  const to = nextAgentRequestStatus(row.kind, row.status, 'start');
  if (to !== null) await writeTurn(tx, row, { to, by: SYSTEM, note: startNote(row.status) });
  const template = deps.templateOf(row.templateName);
  const workflowId = await ensureAgent(tx, {
    partnerId: row.partnerId,
    clientId: row.clientId,
    templateName: row.templateName,
    name: row.title,
    config: row.config,
    creditsPerRun: template?.creditsPerRun ?? 1,
  });
  const run = await countRun(tx, row.id, new Date(now.getTime() + SILENT_MS));
  const approver = row.reviewedBy === null ? undefined : await findActingStaff(tx, row.reviewedBy);
  const { id, partnerId, clientId, templateName } = row;
  return { id, run, partnerId, clientId, templateName, workflowId, instance, missing, approver };
}

/** A request that runs is due only when it has been silent; the others are due whenever they say so. */
function isDue(row: RequestRow, now: Date): boolean {
  if (row.dueAt === null) return false;
  return row.status === 'provisioning' ? row.dueAt <= now : row.status === 'approved' || row.status === 'provisioning_failed';
}

async function wait(tx: SystemTx, id: string, now: Date): Promise<void> {
  const dueAt = new Date(now.getTime() + WAIT_MS);
  await setDue(tx, id, dueAt);
  await queueInstalls(tx, [id], dueAt);
}

function startNote(status: AgentRequestStatus): string | null {
  return status === 'provisioning_failed' ? 'The missing key was saved.' : null;
}
