import type { SystemTx } from '#platform/db/tx.ts';
import type { AccountExportDeps } from './deps.ts';
import type { ReadyExport } from './store-work.ts';

type Ready = ReadyExport & { exportId: string; partnerId: string; clientId: string | null; sizeBytes: number; expiresAt: Date };

/** Notifies who asked for it, if they are still there. The link opens the page; the file needs their session. */
export async function notifyReady({ notify }: Pick<AccountExportDeps, 'notify'>, tx: SystemTx, ready: Ready): Promise<void> {
  const { requestedBy, requesterRole, partnerId, clientId } = ready;
  if (requestedBy === null) return;
  const href = pageOf(requesterRole, partnerId);
  const size = sizeText(ready.sizeBytes);
  await notify(tx, {
    partnerId,
    clientId,
    userIds: [requestedBy],
    type: 'export_ready',
    tone: 'ok',
    title: `The export of ${ready.accountName} is ready`,
    body: `${size}. It can be downloaded until ${ready.expiresAt.toISOString().slice(0, 10)}.`,
    href,
    subject: `account_export:${ready.exportId}`,
    dedupeKey: `account_export:${ready.exportId}:ready`,
    mail: { kind: 'export_ready', data: { accountName: ready.accountName, size, expiresAt: ready.expiresAt, href } },
  });
}

function pageOf(role: string | null, partnerId: string): string {
  if (role === 'ADMIN') return `/admin/partners/${partnerId}`;
  return role === 'CLIENT' ? '/client/settings' : '/dashboard/settings/account';
}

const UNITS = ['KB', 'MB', 'GB'] as const;

function sizeText(bytes: number): string {
  let size = bytes / 1_000;
  let unit = 0;
  for (; size >= 1_000 && unit < UNITS.length - 1; unit += 1) size /= 1_000;
  return `${size < 10 ? Math.max(0.1, size).toFixed(1) : Math.round(size)} ${UNITS[unit] ?? 'GB'}`;
}
