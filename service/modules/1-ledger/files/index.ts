import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import { createFairTurns } from '#platform/fair-turns.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import type { FilesDeps } from './deps.ts';
import type { FileStore } from './file-store.ts';
import { readFile } from './read-file.ts';
import { deleteFiles, findFile } from './store.ts';
import { sweepFiles } from './sweep-files.ts';
import { writeFile } from './write-file.ts';

export { readWhole } from './read-whole.ts';
export { FILE_BYTES_MAX, FileGone, type FileOwner, type FileStore, FileTooLarge, type StoredFile } from './file-store.ts';

const CHUNK_BYTES = 256 * 1024;
/** Connections that chunks use at once; the pool has twenty. */
const TURNS = { slots: 6, waitingMax: 256, waitMs: 30_000 };

/** Bytes of exports, media and invoices, in chunks in Postgres. */
export function files({ db, clock }: { db: Database; clock: Clock }) {
  const deps: FilesDeps = { db, clock, turns: createFairTurns(TURNS), chunkBytes: CHUNK_BYTES };
  const store: FileStore = {
    write: (owner, file, bytes, options) => writeFile(deps, owner, file, bytes, options?.signal),
    async find(tx, fileId) {
      const row = await findFile(tx, fileId);
      if (!row) return undefined;
      const { partnerId, clientId, ...rest } = row;
      return { ...rest, owner: { partnerId, clientId } };
    },
    read: (file, range) => readFile(deps, file, range),
    remove: async (tx, fileIds) => (fileIds.length > 0 ? deleteFiles(tx, fileIds) : undefined),
  };
  return {
    routes: {},
    store,
    crons: [defineCron('files.sweep', '23 3 * * *', async (context) => void (await sweepFiles(deps, context)))],
    sweep: (signal: AbortSignal = new AbortController().signal) => sweepFiles(deps, { signal }),
  };
}

export type Files = ReturnType<typeof files>;
