import { agentNameFor } from '@partner-portal/catalog/index.ts';
import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { ACCOUNT_PAGES } from '@partner-portal/contract/account-pages.ts';
import type { MessageKey, Messages } from '@partner-portal/messages/messages.ts';
import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueue, enqueueMany } from '#platform/jobs/enqueue.ts';
import { accountRequestNotifications, endsRequest, isAccountRequest, isOwnRequest, resumed, settledRequest } from './account-requests.ts';
import { announceTo, type NewNotification, type Notify } from './notify.ts';
import { settleRequest } from './store.ts';
import { type NotifyingEntry, findNotifyingEntry } from './store-audit.ts';

export const auditedJob = defineJob('notifications.audited', z.object({ entryId: z.uuid(), isSecondLook: z.boolean().optional() }));

/** Long enough for a decision that follows in the same click. */
const SECOND_LOOK_MS = 60_000;

/** Queues notifications for audit entries that people are notified of. A job, because the writing tenant may not see the recipients. */
export async function queueAuditNotifications(
  tx: Tx,
  entries: readonly { entryId: string; action: AuditAction; result: 'ok' | 'refused' }[],
): Promise<void> {
  const notifying = entries.filter(({ action, result }) => result === 'ok' && (action in NOTIFYING || isAccountRequest(action)));
  await enqueueMany(
    tx,
    auditedJob,
    notifying.map(({ entryId }) => ({ entryId })),
    { keyOf: ({ entryId }) => `notifications.audited:${entryId}` },
  );
}

/** Notifies people of an audited change: joined, removed, suggested, declined, account secured or active again, plan kept. */
export function notifyFromAudit(
  deps: { db: Database; clock: Clock; notify: Notify },
  entryId: string,
  isSecondLook = false,
): Promise<void> {
  return deps.db.asSystem('events', async (tx) => {
    const entry = await findNotifyingEntry(tx, entryId);
    if (entry && isOwnRequest(entry) && !isSecondLook) {
      const runAt = new Date(deps.clock.now().getTime() + SECOND_LOOK_MS);
      return enqueue(tx, auditedJob, { entryId, isSecondLook: true }, { runAt, key: `notifications.audited:${entryId}:again` });
    }
    if (!entry) return;
    if (endsRequest(entry)) await announceTo(tx, await settleRequest(tx, settledRequest(entry)));
    await deps.notify(tx, notificationsFor(entry));
  });
}

function notificationsFor(entry: NotifyingEntry): NewNotification[] {
  if (isAccountRequest(entry.action)) return accountRequestNotifications(entry, entry.action);
  return [NOTIFYING[entry.action]?.(entry) ?? []].flat();
}

const common = (entry: NotifyingEntry) => ({ partnerId: entry.partnerId, clientId: entry.clientId, dedupeKey: `audit:${entry.id}` });
const membersPage = (entry: NotifyingEntry): string =>
  entry.clientId ? `/dashboard/clients/${entry.clientId}` : '/dashboard/settings/team';

function joined(entry: NotifyingEntry): NewNotification {
  const who = entry.userName ?? entry.targetLabel ?? 'Someone';
  return {
    ...common(entry),
    audience: 'team',
    except: entry.userId,
    type: 'invitation_accepted',
    tone: 'ok',
    title: `${who} accepted the invitation`,
    body: entry.clientName ? `${entry.clientName} has a new user.` : 'Your team has a new member.',
    href: membersPage(entry),
    subject: `user:${entry.targetId ?? entry.id}`,
  };
}

/** Staff only: the agency itself may be what they should look at. */
function burst(entry: NotifyingEntry): NewNotification {
  const name = entry.partnerName;
  return {
    partnerId: entry.partnerId,
    clientId: null,
    audience: 'staff',
    type: 'alert_opened',
    tone: 'warn',
    title: `${name} sends many invitations`,
    body: `${entry.invitationsInHour ?? 'Many'} within an hour. Check whom it invites, and suspend it if it is abused.`,
    href: `/admin/partners/${entry.partnerId}`,
    subject: `partner:${entry.partnerId}`,
    dedupeKey: `invitation-burst:${entry.partnerId}:${entry.at.toISOString().slice(0, 10)}`,
  };
}

/** A mail with the invoices goes to the address for them, otherwise to the admins: billing sends it, and they get no second one. */
function pastDue(entry: NotifyingEntry): NewNotification[] {
  const shared = { ...common(entry), type: 'payment_past_due', tone: 'bad', subject: `partner:${entry.partnerId}` } as const;
  return [
    {
      ...shared,
      audience: 'team',
      title: 'Your payment is past due',
      body: 'Pay the overdue invoices, or your account will be suspended.',
      href: '/dashboard/billing',
      mailTo: entry.billingEmail === null ? 'all_but_admins' : 'all',
      mailedTo: entry.billingEmail,
    },
    {
      ...shared,
      audience: 'staff',
      title: `${entry.partnerName} is past due`,
      body: 'Its account is suspended unless it pays or its payment clock is paused.',
      href: `/admin/partners/${entry.partnerId}`,
    },
  ];
}

/** A smaller plan was approved, and what is in use did not fit it when its period began: also for staff, who confirmed it. */
function planKept(entry: NotifyingEntry): NewNotification[] {
  const shared = { ...common(entry), type: 'plan_kept', tone: 'warn', subject: `partner:${entry.partnerId}` } as const;
  const plan = entry.targetLabel ?? 'another plan';
  const exceeds = entry.note ?? 'too many clients or seats';
  return [
    {
      ...shared,
      audience: 'team',
      title: `Your change to ${plan} did not take effect`,
      body: `It does not fit your usage: ${exceeds}. Your plan and its price stay. Request the change again once it fits.`,
      href: '/dashboard/billing',
    },
    {
      ...shared,
      audience: 'staff',
      title: `The change of ${entry.partnerName} to ${plan} did not take effect`,
      body: `It does not fit its usage: ${exceeds}. Its plan and its price stay. Its team was notified.`,
      href: `/admin/partners/${entry.partnerId}`,
    },
  ];
}

function removed(entry: NotifyingEntry): NewNotification {
  const who = entry.isByStaff ? 'platform staff' : entry.actorEmail;
  const by = who ? `Removed by ${who}.` : 'Removed.';
  return {
    ...common(entry),
    audience: 'team',
    except: entry.actorId,
    type: 'member_removed',
    tone: 'info',
    title: `${entry.targetLabel ?? 'Someone'} was removed`,
    body: entry.clientName ? `From ${entry.clientName}. ${by}` : `From your team. ${by}`,
    href: membersPage(entry),
    subject: `user:${entry.targetId ?? entry.id}`,
  };
}

/** All admins learn of it but the one who did it, the new one included: an admin may remove every other. */
function madeAdmin(entry: NotifyingEntry): NewNotification {
  return {
    ...common(entry),
    audience: 'admins',
    except: entry.isByStaff ? null : entry.actorId,
    type: 'security',
    tone: 'warn',
    title: `${entry.targetLabel ?? 'A member'} is now an admin of your agency`,
    body: entry.isByStaff
      ? 'Platform staff changed the permission. The reason is in your audit log.'
      : `${entry.actorEmail ?? 'An admin'} changed the permission.`,
    href: '/dashboard/settings/team',
    subject: `user:${entry.targetId ?? entry.id}`,
  };
}

function suggested(entry: NotifyingEntry): NewNotification {
  return {
    ...common(entry),
    audience: 'team',
    type: 'agent_request_suggested',
    tone: 'info',
    title: `${entry.clientName ?? 'A client'} suggests ${entry.requestTitle ?? 'an agent'}`,
    body: 'Submit it to us or decline it.',
    href: `/dashboard/requests?request=${entry.targetId ?? ''}`,
    subject: `agent_request:${entry.targetId ?? entry.id}`,
  };
}

function declined(entry: NotifyingEntry): NewNotification {
  return {
    ...common(entry),
    audience: 'client',
    type: 'agent_request_resolved',
    tone: 'info',
    title: ({ t, locale }) =>
      t('notifications.declined', {
        agent: entry.requestTitle ? agentNameFor(locale, entry.templateName, entry.requestTitle) : t('notifications.your-suggestion'),
      }),
    body: entry.note ?? (({ t }) => t('notifications.against')),
    href: '/client/suggestions',
    subject: `agent_request:${entry.targetId ?? entry.id}`,
  };
}

function textSuggested(entry: NotifyingEntry): NewNotification {
  return {
    ...common(entry),
    audience: 'team',
    type: 'text_suggested',
    tone: 'info',
    title: `${entry.clientName ?? 'A client'} suggests another text for ${entry.targetLabel ?? 'an agent'}`,
    body: entry.note ?? 'Compare it with the present one, then apply or decline it.',
    href: '/dashboard/requests#texts',
    subject: `text_suggestion:${entry.targetId ?? entry.id}`,
  };
}

function textResolved(entry: NotifyingEntry): NewNotification {
  const isApplied = entry.action === 'text_suggestion.applied';
  const agentIn = ({ t, locale }: Messages): string =>
    entry.targetLabel
      ? agentNameFor(locale, entry.templateName, entry.targetLabel)
      : t(isApplied ? 'notifications.an-agent-now' : 'notifications.an-agent');
  return {
    ...common(entry),
    audience: 'client',
    type: 'text_suggestion_resolved',
    tone: isApplied ? 'ok' : 'info',
    title: (messages) => messages.t(isApplied ? 'notifications.text-applied' : 'notifications.text-declined', { agent: agentIn(messages) }),
    body: isApplied ? ({ t }) => t('notifications.text-applied-text') : (entry.note ?? (({ t }) => t('notifications.against'))),
    href: entry.suggestionAgentId ? `/client/agents/${entry.suggestionAgentId}` : '/client/agents',
    subject: `text_suggestion:${entry.targetId ?? entry.id}`,
  };
}

/** Listed only: the identity module sends its own mail. */
function secured(entry: NotifyingEntry, key: MessageKey): NewNotification | undefined {
  const userId = entry.userId ?? entry.actorId;
  if (userId === null) return undefined;
  return {
    ...common(entry),
    userIds: [userId],
    type: 'security',
    tone: 'warn',
    title: ({ t }) => t(key),
    body: ({ t }) => t('notifications.not-you'),
    href: ACCOUNT_PAGES[entry.userRole ?? 'PARTNER'].account,
    subject: `user:${userId}`,
    mailTo: 'none',
  };
}

/** Audit actions that notify people, in addition to requests about the account; no domain event covers them. */
const NOTIFYING: Readonly<Partial<Record<AuditAction, (entry: NotifyingEntry) => NewNotification | NewNotification[] | undefined>>> = {
  'invitation.accepted': joined,
  'invitation.burst_noticed': burst,
  'agent_request.created': (entry) => (entry.requestOrigin === 'client' ? suggested(entry) : undefined),
  'agent_request.declined': declined,
  'text_suggestion.created': textSuggested,
  'text_suggestion.applied': textResolved,
  'text_suggestion.declined': textResolved,
  'client_user.removed': removed,
  'member.removed': removed,
  'member.permission_changed': (entry) => (entry.permission === 'admin' ? madeAdmin(entry) : undefined),
  'user.password_changed': (entry) => secured(entry, 'notifications.password-changed'),
  'user.password_reset': (entry) => secured(entry, 'notifications.password-reset'),
  'user.mfa_reset': (entry) => secured(entry, 'notifications.mfa-reset'),
  'mfa.enabled': (entry) => secured(entry, 'notifications.mfa-on'),
  'mfa.disabled': (entry) => secured(entry, 'notifications.mfa-off'),
  'mfa.recovery_codes_renewed': (entry) => secured(entry, 'notifications.codes-renewed'),
  'billing.past_due': pastDue,
  'billing.plan_kept': planKept,
  'client.resumed': resumed,
  'partner.resumed': resumed,
};
