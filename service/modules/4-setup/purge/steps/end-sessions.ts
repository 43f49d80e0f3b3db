import { inStep, type Step, tablesOf } from '../purge-run.ts';
import { removeRows, withLocks } from '../remove-rows.ts';
import { countRemoved } from '../store.ts';
import { clearStaffEntries, forgetPeople, readNames } from '../store-account.ts';

const ENTRIES = 1_000;

/** Removes the people of the account with everything that lets them in. What names them elsewhere goes first, while their addresses are known. */
export const endSessions: Step = async (run) => {
  const names = await run.deps.db.asSystem('purge', (tx) => readNames(tx, run));
  let after: string | null = null;
  do {
    const from: string | null = after;
    after = await withLocks(() => inStep(run, (tx) => clearStaffEntries(tx, run, names, from, ENTRIES)));
  } while (after !== null);
  await withLocks(() =>
    inStep(run, async (tx) => {
      await countRemoved(tx, run.deletionRequestId, 'end_sessions', await forgetPeople(tx, run, names));
    }),
  );
  await removeRows(run, 'end_sessions', tablesOf(run, 'end_sessions'));
  return 'done';
};
