import type { Database, TenantTx } from '#platform/db/tx.ts';
import type { FairTurns } from '#platform/fair-turns.ts';
import type { Clock } from '#platform/clock.ts';
import type { FileOwner } from './file-store.ts';

export type FilesDeps = {
  db: Database;
  clock: Clock;
  /** Turns of chunks: files must not use up the connections that everything else needs. */
  turns: FairTurns;
  chunkBytes: number;
};

/** Runs one short transaction as the owner of a file, in its turn. */
export function inTurn<T>({ db, turns }: FilesDeps, owner: FileOwner, fn: (tx: TenantTx) => Promise<T>): Promise<T> {
  return turns({ key: owner.partnerId }, () => db.asTenant({ kind: 'tenant', ...owner }, fn));
}
