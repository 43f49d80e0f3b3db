import { readEngineRun } from '@partner-portal/core/execution/engine-outcome.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import { type EngineDispatch, findRun } from '../engine.ts';
import type { Finisher } from '../report/finish.ts';
import { readTimedOutTurns } from './store-direct.ts';

export type CorrectDeps = { db: Database; engine: EngineDispatch; finisher: Finisher; log: Log };

/** Longer than the engine lets a run last. */
const WITHIN_MINUTES = 15;
const BATCH = 50;

/**
 * Corrects runs of conversations that ended with timeout although their flow ended after all: what it did is recorded and charged, once, as a
 * late report would be, which a direct call does not send. Returns how many. The first failure ends the round.
 */
export async function correctTimeouts(deps: CorrectDeps): Promise<number> {
  let corrected = 0;
  try {
    for (const turn of await readTimedOutTurns(deps.db, { withinMinutes: WITHIN_MINUTES, batch: BATCH })) {
      const run = await findRun(deps.engine, turn.providerFlowId, turn.id, turn.startedAt);
      if (run === null || run === 'unseen') continue;
      const verdict = readEngineRun(run, { executionId: turn.id, workflowId: turn.workflowId });
      if (verdict.is === 'ended' && (await deps.finisher.report(verdict.report)).applied) corrected += 1;
    }
  } catch (error) {
    deps.log.warn({ err: error }, 'could not ask the engine about runs of conversations that timed out');
  }
  return corrected;
}
