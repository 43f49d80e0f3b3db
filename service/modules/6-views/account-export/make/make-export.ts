import type { FileStore, StoredFile } from '#modules/1-ledger/files/index.ts';
import type { Database, TenantTx } from '#platform/db/tx.ts';
import { kindsOf } from '../kinds/index.ts';
import type { ExportKind, ExportScope } from '../kinds/kind.ts';
import { findSubject } from '../store.ts';
import { createProgress } from './progress.ts';
import { writeEntries } from './write-entries.ts';
import { createZipWriter } from './zip-writer.ts';

/**
 * Makes the archive from one snapshot and stores it as it is made. A client's own export is read as that client, so that row-level security
 * holds it to its rows. Resolves to the stored file; when it throws, nothing is stored.
 */
export function makeExport(
  { db, files }: { db: Database; files: FileStore },
  scope: ExportScope,
  { report, signal }: { report: (percent: number) => void; signal: AbortSignal },
): Promise<StoredFile> {
  const { partnerId, clientId, audience } = scope;
  const reader = { kind: 'tenant', partnerId, clientId: audience === 'client' ? clientId : null } as const;
  return db.asTenantSnapshot(
    reader,
    async (tx) => {
      const subject = await findSubject(tx, scope);
      if (!subject) throw new Error('The account of an export is gone.');
      const kinds = kindsOf(scope);
      const progress = createProgress(2 * (await countRows(tx, kinds, scope)), report);
      const zip = createZipWriter(subject.snapshotAt);
      let cause: unknown;
      const failed = (error: unknown): never => {
        // The end that failed first is the cause of the other's failure.
        cause ??= error;
        zip.fail(error instanceof Error ? error : new Error(String(error)));
        throw error;
      };
      const [stored, written] = await Promise.allSettled([
        files.write({ partnerId, clientId }, { purpose: 'export', contentType: 'application/zip' }, zip.bytes, { signal }).catch(failed),
        writeEntries({ tx, zip, files, scope, kinds, subject, progress }).then(() => zip.end(), failed),
      ]);
      if (stored.status === 'rejected' || written.status === 'rejected') throw cause;
      return stored.value;
    },
    signal,
  );
}

async function countRows(tx: TenantTx, kinds: readonly ExportKind[], scope: ExportScope): Promise<number> {
  let total = 0;
  for (const kind of kinds) total += (await kind.count?.(tx, scope)) ?? 0;
  return total;
}
