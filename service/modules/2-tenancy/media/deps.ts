import type { Actor } from '#platform/actor.ts';
import type { ComputePool } from '#platform/compute/compute-pool.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import type { FairTurns } from '#platform/fair-turns.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { FileStore } from '#modules/1-ledger/files/index.ts';

export type MediaModuleDeps = {
  db: Database;
  cursors: Cursors;
  compute: ComputePool;
  files: FileStore;
  /** The BCP 47 tag of the language in which a reader gets texts. Given, since identity imports this module for avatars. */
  readerTag: (tx: Tx, actor: Actor) => Promise<string>;
};

export type MediaDeps = MediaModuleDeps & {
  /** Turns of images: decoding one takes up to some hundred megabytes outside of any heap. */
  turns: FairTurns;
};
