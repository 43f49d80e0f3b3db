import assert from 'node:assert/strict';
import type { PurgeStepName } from '@partner-portal/contract/vocabulary.ts';
import { files } from '@partner-portal/service/modules/1-ledger/files/index.ts';
import type { PurgeDeps } from '@partner-portal/service/modules/4-setup/purge/deps.ts';
import { runPurge } from '@partner-portal/service/modules/4-setup/purge/run-purge.ts';
import { createTurns } from '@partner-portal/service/modules/4-setup/purge/work-through.ts';
import type { TestService } from './service.ts';

type Purging = Pick<TestService, 'db' | 'world'> & {
  runner: { runCron(name: string): Promise<void>; drain(options?: { allowFailures?: boolean }): Promise<void> };
};

/** Approves a deletion as long ago that its purge is due; returns its request. */
export async function makeDue(
  service: Pick<TestService, 'db'>,
  partnerId: string,
  clientId: string | null,
  names = 'Gone',
): Promise<string> {
  return service.db.asSystem('seed', async (tx) => {
    const suspended = {
      status: 'suspended',
      suspendedAt: new Date(),
      suspensionReason: names,
      suspensionCause: 'deletion_approved',
    } as const;
    if (clientId === null) await tx.updateTable('partner').set(suspended).where('id', '=', partnerId).execute();
    else await tx.updateTable('client').set(suspended).where('id', '=', clientId).execute();
    const { id } = await tx
      .insertInto('deletionRequest')
      .values({
        partnerId,
        clientId,
        scope: clientId === null ? 'partner' : 'client',
        accountName: names,
        reason: names,
        decisionNote: names,
        status: 'approved',
        previousStatus: 'active',
        requesterRole: 'PARTNER',
        purgeAfter: new Date(Date.now() - 60_000),
        decidedAt: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** Lets the purge begin and run to its end. */
export async function runPurges(service: Purging): Promise<void> {
  await service.runner.runCron('purges.sweep');
  await service.runner.drain({ allowFailures: true });
}

export async function stateOf({ db }: Pick<TestService, 'db'>, requestId: string) {
  return db.asSystem('seed', async (tx) => {
    const purge = await tx.selectFrom('purge').selectAll().where('deletionRequestId', '=', requestId).executeTakeFirst();
    const steps = await tx.selectFrom('purgeStep').selectAll().where('deletionRequestId', '=', requestId).orderBy('position').execute();
    return { purge, steps };
  });
}

export async function assertPurged(service: Pick<TestService, 'db'>, requestId: string): Promise<void> {
  const { purge, steps } = await stateOf(service, requestId);
  assert.deepEqual(
    [purge?.status, ...steps.map((step) => `${step.name} ${step.status} ${step.problem ?? ''}`.trim())],
    ['completed', ...steps.map((step) => `${step.name} succeeded`)],
  );
}

/** A purge also waits for older transactions of the server's other databases, such as those of tests that run in parallel. */
export const BARRIER_WAIT_MS = 600_000;

/** Dependencies of a purge in a test without an engine: its accounts have nothing there. */
export function purgeDeps(service: Pick<TestService, 'db' | 'clock' | 'log'>): PurgeDeps {
  return {
    db: service.db,
    clock: service.clock,
    log: service.log,
    notices: { subscribe: () => () => undefined },
    barrierWaitMs: BARRIER_WAIT_MS,
    removeFiles: files(service).store.remove,
    tearDown: async () => ({ removed: 0, isBusy: false }),
  };
}

/** Runs a purge until a step has ended, where its process stops; to its end without one. */
export async function runPurgeUntil(
  service: Pick<TestService, 'db'>,
  deps: PurgeDeps,
  requestId: string,
  step?: PurgeStepName,
): Promise<void> {
  const stop = new AbortController();
  const asSystem: PurgeDeps['db']['asSystem'] = async (reason, work) => {
    const result = await deps.db.asSystem(reason, work);
    const { steps } = await stateOf(service, requestId);
    if (steps.some(({ name, status }) => name === step && status === 'succeeded')) stop.abort();
    return result;
  };
  const outcome = await runPurge({ ...deps, db: { ...deps.db, asSystem } }, requestId, { signal: stop.signal, turn: createTurns() });
  assert.equal(outcome, step === undefined ? 'completed' : 'later');
}
