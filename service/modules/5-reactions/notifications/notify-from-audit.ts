import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import type { Role } from '@partner-portal/contract/vocabulary.ts';
import { z } from 'zod';
import type { Database, Tx } from '#platform/db/tx.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueueMany } from '#platform/jobs/enqueue.ts';
import type { News, Notify } from './notify.ts';
import { type AuditedFact, findAudited } from './store-audit.ts';

export const auditedJob = defineJob('notifications.audited', z.object({ entryId: z.uuid() }));

/** Audit actions that notify people; no domain event covers them. */
const NOTIFYING: ReadonlySet<AuditAction> = new Set([
  'invitation.accepted',
  'agent_request.created',
  'agent_request.declined',
  'client_user.removed',
  'member.removed',
  'user.password_changed',
  'user.password_reset',
  'user.mfa_reset',
  'mfa.enabled',
  'mfa.disabled',
  'mfa.recovery_codes_renewed',
]);

/** Queues notifications for audit entries that people are notified of. A job, because the writing tenant may not see the recipients. */
export async function queueAuditNotifications(
  tx: Tx,
  entries: readonly { entryId: string; action: AuditAction; result: 'ok' | 'refused' }[],
): Promise<void> {
  const notifying = entries.filter(({ action, result }) => result === 'ok' && NOTIFYING.has(action));
  await enqueueMany(
    tx,
    auditedJob,
    notifying.map(({ entryId }) => ({ entryId })),
    { keyOf: ({ entryId }) => `notifications.audited:${entryId}` },
  );
}

/** Notifies people of an audited change: joined, removed, suggested, declined, account secured. */
export function notifyFromAudit(deps: { db: Database; notify: Notify }, entryId: string): Promise<void> {
  return deps.db.asSystem('events', async (tx) => {
    const fact = await findAudited(tx, entryId);
    const news = fact && newsOf(fact);
    if (news) await deps.notify(tx, news);
  });
}

function newsOf(fact: AuditedFact): News | undefined {
  switch (fact.action) {
    case 'invitation.accepted':
      return joined(fact);
    case 'member.removed':
    case 'client_user.removed':
      return removed(fact);
    case 'agent_request.created':
      return fact.requestOrigin === 'client' ? suggested(fact) : undefined;
    case 'agent_request.declined':
      return declined(fact);
    default:
      return secured(fact);
  }
}

const common = (fact: AuditedFact) => ({ partnerId: fact.partnerId, dedupeKey: `audit:${fact.id}` });
const peopleOf = (fact: AuditedFact): string => (fact.clientId ? `/dashboard/clients/${fact.clientId}` : '/dashboard/settings/team');

function joined(fact: AuditedFact): News {
  const who = fact.userName ?? fact.targetLabel ?? 'Somebody';
  return {
    ...common(fact),
    audience: 'team',
    except: fact.userId,
    type: 'invitation_accepted',
    tone: 'ok',
    title: `${who} accepted the invitation`,
    body: fact.clientName ? `${fact.clientName} can be seen and used by one person more.` : 'Your team has one member more.',
    href: peopleOf(fact),
    subject: `user:${fact.targetId ?? fact.id}`,
  };
}

function removed(fact: AuditedFact): News {
  const by = fact.actorEmail ? `Removed by ${fact.actorEmail}.` : 'Removed.';
  return {
    ...common(fact),
    audience: 'team',
    except: fact.actorId,
    type: 'member_removed',
    tone: 'info',
    title: `${fact.targetLabel ?? 'Somebody'} was removed`,
    body: fact.clientName ? `From ${fact.clientName}. ${by}` : `From your team. ${by}`,
    href: peopleOf(fact),
    subject: `user:${fact.targetId ?? fact.id}`,
  };
}

function suggested(fact: AuditedFact): News {
  return {
    ...common(fact),
    audience: 'team',
    type: 'agent_request_suggested',
    tone: 'info',
    title: `${fact.clientName ?? 'A client'} suggests ${fact.requestTitle ?? 'an agent'}`,
    body: 'Pass it on to us or decline it.',
    href: `/dashboard/requests?request=${fact.targetId ?? ''}`,
    subject: `agent_request:${fact.targetId ?? fact.id}`,
  };
}

function declined(fact: AuditedFact): News {
  return {
    ...common(fact),
    clientId: fact.clientId,
    audience: 'client',
    type: 'agent_request_resolved',
    tone: 'info',
    title: `${fact.requestTitle ?? 'Your suggestion'} was declined`,
    body: fact.note ?? 'Your agency decided against it for now.',
    href: '/client/suggestions',
    subject: `agent_request:${fact.targetId ?? fact.id}`,
  };
}

const ACCOUNT: Readonly<Record<Role, string>> = {
  ADMIN: '/admin/account',
  PARTNER: '/dashboard/settings/security',
  CLIENT: '/client/settings',
};
const SECURED: Readonly<Record<string, string>> = {
  'user.password_changed': 'Your password was changed',
  'user.password_reset': 'Your password was reset',
  'mfa.enabled': 'Your second factor was switched on',
  'mfa.disabled': 'Your second factor was switched off',
  'mfa.recovery_codes_renewed': 'Your recovery codes were renewed',
  'user.mfa_reset': 'Your second factor was reset',
};

/** The identity rooms mail it themselves, at once. */
function secured(fact: AuditedFact): News | undefined {
  const title = SECURED[fact.action];
  const userId = fact.userId ?? fact.actorId;
  if (title === undefined || userId === null) return undefined;
  return {
    ...common(fact),
    userIds: [userId],
    type: 'security',
    tone: 'warn',
    title,
    body: 'If it was not you, change your password and tell an admin.',
    href: ACCOUNT[fact.userRole ?? 'PARTNER'],
    subject: `user:${userId}`,
    mailTo: 'nobody',
  };
}
