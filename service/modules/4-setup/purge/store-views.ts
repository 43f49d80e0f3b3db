import type { PurgeStatus, PurgeStepName, PurgeStepStatus } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type PurgeRow = {
  deletionRequestId: string;
  status: PurgeStatus;
  waitingFor: 'engine' | null;
  startedAt: Date;
  finishedAt: Date | null;
};

/** Returns the purge of a deletion request in the caller's scope. */
export async function findPurge(tx: Tx, deletionRequestId: string): Promise<PurgeRow | undefined> {
  const [row] = await runStatement<'purge_find', PurgeRow>(tx, {
    name: 'purge_find',
    text: 'select deletion_request_id, status, waiting_for, started_at, finished_at from purge where deletion_request_id = $1',
    values: [deletionRequestId],
  });
  return row;
}

export type PurgeStepRow = {
  name: PurgeStepName;
  status: PurgeStepStatus;
  rowsRemoved: number;
  tries: number;
  problem: string | null;
  startedAt: Date | null;
  finishedAt: Date | null;
};

/** Returns the steps of a purge in their order. */
export async function listPurgeSteps(tx: Tx, deletionRequestId: string): Promise<PurgeStepRow[]> {
  return runStatement<'purge_steps', PurgeStepRow>(tx, {
    name: 'purge_steps',
    text: `select name, status, rows_removed::double precision as rows_removed, tries, problem, started_at, finished_at from purge_step
      where deletion_request_id = $1 order by position`,
    values: [deletionRequestId],
  });
}
