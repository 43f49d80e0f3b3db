import type { DeletionRequestStatus, ExportStatus, ReactivationRequestStatus } from '@partner-portal/contract/vocabulary.ts';
import type { DeletionPreview, DeletionRequest } from '../../queries/account.ts';
import type { MarkKind } from '../../ui/feedback/mark.tsx';
import { joinWords, plural } from '../../ui/text/format.ts';

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

export const EXPORT_STATUS: Record<ExportStatus, Word> = {
  pending: { mark: 'wait', word: 'Waiting' },
  running: { mark: 'run', word: 'In progress' },
  ready: { mark: 'ok', word: 'Ready' },
  expired: { mark: 'skip', word: 'Expired' },
  failed: { mark: 'bad', word: 'Failed' },
};

/** The name of a person beside a request; a user that was removed has none. */
export function nameOf(person: DeletionRequest['requestedBy'], fallback = 'a removed user'): string {
  return person?.name || person?.email || fallback;
}

/** "12 agents of 4 clients": what stops. */
export function runningText({ scope, runningAgents, clients }: Pick<DeletionPreview, 'scope' | 'runningAgents' | 'clients'>): string {
  const agents = plural(runningAgents, 'agent');
  return scope === 'partner' && clients > 0 ? `${agents} of ${plural(clients, 'client')}` : agents;
}

/** "4 clients, 12 agents, 5 users and 3 files": what is removed. Nothing is named that there is none of. */
export function removedText({ scope, clients, agents, users, webhooks, files }: DeletionPreview): string {
  const parts = [
    scope === 'partner' && clients > 0 ? plural(clients, 'client') : '',
    agents > 0 ? plural(agents, 'agent') : '',
    users > 0 ? plural(users, 'user') : '',
    webhooks > 0 ? plural(webhooks, 'webhook') : '',
    files > 0 ? plural(files, 'file') : '',
  ];
  return joinWords(parts.filter(Boolean));
}
