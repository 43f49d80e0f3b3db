import type { DeletionRequestStatus, ExportStatus, ReactivationRequestStatus } from '@partner-portal/contract/vocabulary.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import type { DeletionPreview, DeletionRequest } from '../../queries/account.ts';
import type { MarkKind } from '../../ui/feedback/mark.tsx';
import { joinWords } from '../../ui/text/format.ts';

type Word = { mark: MarkKind; word: string };

export const DELETION_STATUS: Record<DeletionRequestStatus, Word> = {
  pending: { mark: 'wait', word: 'Requested' },
  approved: { mark: 'warn', word: 'Approved' },
  completed: { mark: 'ok', word: 'Deleted' },
  rejected: { mark: 'skip', word: 'Rejected' },
  cancelled: { mark: 'skip', word: 'Withdrawn' },
};

export const REACTIVATION_STATUS: Record<ReactivationRequestStatus, Word> = {
  pending: { mark: 'wait', word: 'Requested' },
  approved: { mark: 'ok', word: 'Approved' },
  rejected: { mark: 'skip', word: 'Rejected' },
};

export const EXPORT_MARKS: Record<ExportStatus, MarkKind> = {
  pending: 'wait',
  running: 'run',
  ready: 'ok',
  expired: 'skip',
  failed: 'bad',
};

/** The name of a person next to a request; a user that was removed has none. */
export function nameOf(person: DeletionRequest['requestedBy'], fallback = 'a removed user'): string {
  return person?.name || person?.email || fallback;
}

/** "4 clients, 12 agents, 5 users and 3 files": what is removed. Nothing is named that there is none of. */
export function removedText(t: Messages['t'], { scope, clients, agents, users, webhooks, files }: DeletionPreview): string {
  const parts = [
    scope === 'partner' && clients > 0 ? t('lifecycle.clients', { count: clients }) : '',
    agents > 0 ? t('lifecycle.agents', { count: agents }) : '',
    users > 0 ? t('lifecycle.users', { count: users }) : '',
    webhooks > 0 ? t('lifecycle.webhooks', { count: webhooks }) : '',
    files > 0 ? t('lifecycle.files', { count: files }) : '',
  ];
  return joinWords(parts.filter(Boolean));
}
