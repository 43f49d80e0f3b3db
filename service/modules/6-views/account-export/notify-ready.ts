import { formatSize } from '@partner-portal/messages/size.ts';
import { formatWhen } from '@partner-portal/messages/when.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { AccountExportDeps } from './deps.ts';
import type { ReadyExport } from './store-work.ts';

type Ready = ReadyExport & { exportId: string; partnerId: string; clientId: string | null; sizeBytes: number; expiresAt: Date };

/** Notifies who asked for it, if they are still there. The link opens the page; the file needs their session. */
export async function notifyReady({ notify }: Pick<AccountExportDeps, 'notify'>, tx: SystemTx, ready: Ready): Promise<void> {
  const { requestedBy, requesterRole, partnerId, clientId } = ready;
  if (requestedBy === null) return;
  const href = pageOf(requesterRole, partnerId);
  const { accountName: name, sizeBytes, expiresAt, timezone } = ready;
  await notify(tx, {
    partnerId,
    clientId,
    userIds: [requestedBy],
    type: 'export_ready',
    tone: 'ok',
    title: ({ t }) => t('notifications.export-ready', { name }),
    body: (messages) =>
      messages.t('notifications.export-ready-text', {
        size: formatSize(sizeBytes, messages.tag),
        when: formatWhen(expiresAt, timezone, messages),
      }),
    href,
    subject: `account_export:${ready.exportId}`,
    dedupeKey: `account_export:${ready.exportId}:ready`,
    mail: { kind: 'export_ready', data: { accountName: name, sizeBytes, expiresAt, href } },
  });
}

function pageOf(role: string | null, partnerId: string): string {
  if (role === 'ADMIN') return `/admin/partners/${partnerId}`;
  return role === 'CLIENT' ? '/client/settings?part=business' : '/dashboard/settings/account';
}
