import type { AgentRequestStatus } from '@partner-portal/contract/vocabulary.ts';
import { nextAgentRequestStatus } from '@partner-portal/core/provisioning/agent-request.ts';
import { isHeld } from '@partner-portal/core/provisioning/instance.ts';
import { ensureAgent } from '#modules/3-product/agents/index.ts';
import { findActingStaff } from '#modules/2-tenancy/identity/index.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { loadMissing } from '../records.ts';
import { type Installation, SUSPENDED_WAIT_MS, WAIT_MS } from './installation.ts';
import type { AgentRequestsDeps } from '../deps.ts';
import { finishInstall } from './finish-install.ts';
import { queueInstalls } from './install-job.ts';
import { runPipeline } from './run-pipeline.ts';
import { isServed, lockRequest, type RequestRow, writeStatus } from '../store.ts';
import { countRun, readInstanceStatus, setDue } from './store-due.ts';

/** How long an installation may take before it counts as dead and is due again. */
const SILENT_MS = 60_000;
const SYSTEM = { type: 'system', id: null } as const;

/**
 * Job `agent-requests.install`: starts a due request, runs the pipeline and writes the outcome. Concurrent jobs make one installation: the
 * second finds nothing due. A request that a crash left in `provisioning` becomes due again; installing is idempotent.
 */
export async function installRequest(deps: AgentRequestsDeps, requestId: string): Promise<void> {
  const installation = await deps.db.asSystem('provisioning', (tx) => startInstallation(deps, tx, requestId));
  if (installation) await finishInstall(deps, installation, await runPipeline(deps, installation));
}

async function startInstallation(deps: AgentRequestsDeps, tx: SystemTx, requestId: string): Promise<Installation | undefined> {
  const row = await lockRequest(tx, requestId);
  const now = deps.clock.now();
  if (!row || row.templateName === null || !isDue(row, now)) return undefined;
  if (row.partnerStatus !== 'active') {
    await setDue(tx, row.id, new Date(now.getTime() + SUSPENDED_WAIT_MS));
    return undefined;
  }
  const instance = await readInstanceStatus(tx, row.partnerId);
  if (isHeld(instance)) {
    await wait(tx, row.id, now);
    return undefined;
  }
  const [missing = []] = await loadMissing(deps, tx, [row]);
  if (row.status === 'provisioning_failed' && missing.length > 0) {
    // Another credential is still missing.
    await setDue(tx, row.id, null, missing);
    return undefined;
  }
  const to = nextAgentRequestStatus(row.kind, row.status, 'start');
  if (to !== null) await writeStatus(tx, row, { to, by: SYSTEM, note: startNote(row.status) });
  const template = deps.templateOf(row.templateName);
  const agent = {
    partnerId: row.partnerId,
    clientId: row.clientId,
    templateName: row.templateName,
    name: row.title,
    config: row.config,
    creditsPerRun: template?.creditsPerRun ?? 1,
  };
  // From its first start on the agent is there and can be changed: what was saved since holds.
  const workflowId = (await isServed(tx, row.partnerId, row.clientId))
    ? await ensureAgent(tx, agent, { template, keepSettings: row.run > 0 })
    : null;
  const run = await countRun(tx, row.id, new Date(now.getTime() + SILENT_MS));
  const approver = row.reviewedBy === null ? undefined : await findActingStaff(tx, row.reviewedBy);
  const { id, partnerId, clientId, templateName } = row;
  return { id, run, partnerId, clientId, templateName, workflowId, instance, missing, approver };
}

/** A running installation is due when its lease expired; others at once. */
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
