import { exportFileName } from '@partner-portal/core/text/file-name.ts';
import type { FileStore } from '#modules/1-ledger/files/index.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { inScope } from '#platform/db/scope.ts';
import type { FileAnswer } from '#platform/http/answer.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import type { AccountExportDeps } from './deps.ts';
import { type ExportRecordRow, findExport } from './store.ts';

/** Returns the file of an export that is ready. Each request is audited, also for a range. */
export async function downloadExport(deps: AccountExportDeps, context: RequestContext, id: string): Promise<FileAnswer> {
  const { actor, now } = context;
  const { found, file } = await inScope(deps.db, actor, undefined, async (tx) => {
    const found = (await findExport(tx, id)) ?? refuse('not_found');
    const fileId = fileOf(found, now);
    const file = (await deps.files.find(tx, fileId)) ?? refuse('export_expired');
    const range = context.header('range');
    await recordAudit(tx, {
      partnerId: found.partnerId,
      clientId: found.clientId,
      actor,
      action: 'account_export.downloaded',
      target: { type: 'account_export', id, label: found.clientName ?? found.partnerName },
      changes: range === undefined ? {} : { range: [null, range.slice(0, 100)] },
      origin: originOf(context),
    });
    return { found, file };
  });
  return {
    kind: 'file',
    filename: exportFileName(found.clientName ?? found.partnerName, found.createdAt.toISOString()),
    contentType: 'application/zip',
    sizeBytes: file.sizeBytes,
    etag: file.sha256.toString('hex'),
    disposition: 'attachment',
    read: (range) => deps.files.read(file, range),
  };
}

function fileOf({ status, fileId, expiresAt }: ExportRecordRow, now: Date): Parameters<FileStore['find']>[1] {
  if (status === 'expired' || (status === 'ready' && (fileId === null || expiresAt === null || expiresAt <= now)))
    return refuse('export_expired', { detail: 'Request a new export.' });
  if (status !== 'ready' || fileId === null) return refuse('invalid_state', { detail: 'This export is not ready.' });
  return fileId;
}
