import { nextAgentRequestStatus } from '@partner-portal/core/provisioning/agent-request.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { publishFailed, publishResolved } from '../publish.ts';
import { lackingSettings, loadMissing } from '../records.ts';
import type { AgentRequestsDeps } from '../deps.ts';
import { queueInstalls } from './install-job.ts';
import { type Installation, WAIT_MS } from './installation.ts';
import type { InstallEnd } from './run-pipeline.ts';
import { findRequest, findWorkflow, lockRequest, type RequestRow, writeStatus } from '../store.ts';
import { listWaiting } from './store-due.ts';

const SYSTEM = { type: 'system', id: null } as const;

/** Writes the outcome of an installation unless a newer one exists, then queues the partner's waiting requests. */
export async function finishInstall(deps: AgentRequestsDeps, installation: Installation, end: InstallEnd): Promise<void> {
  await deps.db.asSystem('provisioning', async (tx) => {
    const row = await lockRequest(tx, installation.id);
    if (!row || row.run !== installation.run) return;
    const to = nextAgentRequestStatus(row.kind, row.status, end.kind);
    if (to === null) return;
    if (end.kind === 'succeeded') await fulfil(deps, tx, row, installation, end);
    if (end.kind === 'failed') await fail(deps, tx, row, installation, end);
    if (end.kind === 'held') await hold(deps, tx, row, end.note);
    await recordAudit(tx, {
      partnerId: row.partnerId,
      clientId: row.clientId,
      actor: { kind: 'system' },
      action:
        end.kind === 'held'
          ? 'agent_request.waiting'
          : end.kind === 'succeeded'
            ? 'agent_request.fulfilled'
            : 'agent_request.provisioning_failed',
      target: { type: 'agent_request', id: row.id, label: row.title },
      changes: { status: [row.status, to] },
    });
    if (end.kind !== 'held') await queueInstalls(tx, await listWaiting(tx, row.partnerId));
  });
}

async function fulfil(
  deps: AgentRequestsDeps,
  tx: SystemTx,
  row: RequestRow,
  installation: Installation,
  end: { attemptId: string },
): Promise<void> {
  const { workflowId } = installation;
  const agent = workflowId === null ? undefined : await findWorkflow(tx, workflowId);
  await writeStatus(tx, row, { to: 'fulfilled', by: SYSTEM, lastAttemptId: end.attemptId, workflowId: agent?.id });
  const after = await reload(tx, row);
  const lacking = lackingSettings(deps, after);
  const missingProfile = lacking.flatMap(({ fromProfile }) => fromProfile ?? []);
  const missing = {
    ...(lacking.length > 0 ? { missingSettings: lacking.map(({ label }) => label) } : {}),
    ...(missingProfile.length > 0 ? { missingProfile } : {}),
  };
  const installed = agent ? { agent: { id: agent.id, name: agent.name, isActive: agent.isActive, ...missing } } : {};
  await publishResolved(deps, tx, after, null, { resolution: 'fulfilled', note: null, ...installed });
}

async function fail(
  deps: AgentRequestsDeps,
  tx: SystemTx,
  row: RequestRow,
  installation: Installation,
  end: { attemptId: string | null; message: string },
): Promise<void> {
  const [missing = []] = await loadMissing(deps, tx, [row]);
  // The credential was saved while the attempt was failing for want of it: queue it here.
  const again = installation.missing.length > 0 && missing.length === 0;
  const { attemptId, message } = end;
  await writeStatus(tx, row, {
    to: 'provisioning_failed',
    by: SYSTEM,
    note: message,
    failureMessage: message,
    missingProviders: missing,
    lastAttemptId: attemptId,
    dueAt: again ? deps.clock.now() : null,
  });
  if (again) await queueInstalls(tx, [row.id]);
  await publishFailed(deps, tx, await reload(tx, row), { attemptId, message });
}

async function hold(deps: AgentRequestsDeps, tx: SystemTx, row: RequestRow, note: string): Promise<void> {
  const dueAt = new Date(deps.clock.now().getTime() + WAIT_MS);
  await writeStatus(tx, row, { to: 'approved', by: SYSTEM, note, dueAt });
  await queueInstalls(tx, [row.id], dueAt);
}

async function reload(tx: SystemTx, row: RequestRow): Promise<RequestRow> {
  return (await findRequest(tx, row.id)) ?? row;
}
