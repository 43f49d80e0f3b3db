import { nextAgentRequestStatus } from '@partner-portal/core/provisioning/agent-request.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { announceFailed, announceResolved } from '../announce.ts';
import { readMissing } from '../answer.ts';
import type { AgentRequestsDeps } from '../deps.ts';
import { queueInstalls } from './install-job.ts';
import { type Begun, WAIT_MS } from './begun.ts';
import type { InstallEnd } from './run-pipeline.ts';
import { findRequest, findWorkflow, lockRequest, type RequestRow, writeTurn } from '../store.ts';
import { listWaiting } from './store-due.ts';

const SYSTEM = { type: 'system', id: null } as const;

/** Writes how an installation ended, unless a newer one has taken over; then lets the agency's other requests have the instance. */
export async function finishInstall(deps: AgentRequestsDeps, begun: Begun, end: InstallEnd): Promise<void> {
  await deps.db.asSystem('provisioning', async (tx) => {
    const row = await lockRequest(tx, begun.id);
    if (!row || row.run !== begun.run) return;
    const to = nextAgentRequestStatus(row.kind, row.status, end.kind);
    if (to === null) return;
    if (end.kind === 'succeeded') await fulfil(deps, tx, row, begun, end);
    if (end.kind === 'failed') await fail(deps, tx, row, begun, end);
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

async function fulfil(deps: AgentRequestsDeps, tx: SystemTx, row: RequestRow, begun: Begun, end: { attemptId: string }): Promise<void> {
  const { workflowId } = begun;
  const agent = await findWorkflow(tx, workflowId);
  await writeTurn(tx, row, { to: 'fulfilled', by: SYSTEM, lastAttemptId: end.attemptId, ...(agent ? { workflowId } : {}) });
  const news = agent ? { agent: { id: agent.id, name: agent.name, isActive: agent.isActive } } : {};
  await announceResolved(deps, tx, await reread(tx, row), null, { resolution: 'fulfilled', note: null, ...news });
}

async function fail(
  deps: AgentRequestsDeps,
  tx: SystemTx,
  row: RequestRow,
  begun: Begun,
  end: { attemptId: string | null; message: string },
): Promise<void> {
  const [missing = []] = await readMissing(deps, tx, [row]);
  // The key came while the attempt was failing for want of it: nobody else would notice.
  const again = begun.missing.length > 0 && missing.length === 0;
  const { attemptId, message } = end;
  await writeTurn(tx, row, {
    to: 'provisioning_failed',
    by: SYSTEM,
    note: message,
    failureMessage: message,
    missingProviders: missing,
    lastAttemptId: attemptId,
    dueAt: again ? deps.clock.now() : null,
  });
  if (again) await queueInstalls(tx, [row.id]);
  await announceFailed(deps, tx, await reread(tx, row), { attemptId, message });
}

async function hold(deps: AgentRequestsDeps, tx: SystemTx, row: RequestRow, note: string): Promise<void> {
  const dueAt = new Date(deps.clock.now().getTime() + WAIT_MS);
  await writeTurn(tx, row, { to: 'approved', by: SYSTEM, note, dueAt });
  await queueInstalls(tx, [row.id], dueAt);
}

async function reread(tx: SystemTx, row: RequestRow): Promise<RequestRow> {
  return (await findRequest(tx, row.id)) ?? row;
}
