import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { formatWhen } from '@partner-portal/messages/when.ts';
import type { WaitingReactivation } from '#modules/2-tenancy/accounts/index.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { FactHandler } from '#platform/facts.ts';
import type { NewNotification, Notify } from './notify.ts';
import type { NotifyingEntry } from './store-audit.ts';

/** Requests about accounts that people are notified of. */
const ACCOUNT_REQUEST_ACTIONS = [
  'deletion_request.submitted',
  'deletion_request.approved',
  'deletion_request.rejected',
  'reactivation_request.submitted',
  'reactivation_request.approved',
  'reactivation_request.rejected',
] as const satisfies readonly AuditAction[];
type AccountRequestAction = (typeof ACCOUNT_REQUEST_ACTIONS)[number];

export function isAccountRequest(action: string): action is AccountRequestAction {
  return ACCOUNT_REQUEST_ACTIONS.some((one) => one === action);
}

/** Notifies the side that decides of a request, the side that requested of the decision, and of a reactivation all who learned of the suspension. */
export function accountRequestNotifications(entry: NotifyingEntry, action: AccountRequestAction): NewNotification[] {
  const request = action.startsWith('deletion') ? 'deletion' : 'reactivation';
  const isApproved = action.endsWith('.approved');
  // The system approves what was pending when the account was resumed in another way, which reaches the same people.
  if (request === 'reactivation' && isApproved && entry.actorId === null) return [];
  const one = action.endsWith('.submitted') ? submitted(entry, request) : decided(entry, request, isApproved);
  // The first of two about one entry counts for each person.
  return [...(one ? [one] : []), ...(request === 'reactivation' && entry.restoredStatus === 'active' ? resumed(entry) : [])];
}

/** Reaches the people whom the notice of the suspension reached. */
export function resumed(entry: NotifyingEntry): NewNotification[] {
  const { partnerId, clientId } = entry;
  const shared = {
    partnerId,
    clientId,
    except: entry.actorId,
    type: 'account_suspended',
    tone: 'ok',
    subject: `account:${clientId ?? partnerId}`,
    dedupeKey: `audit:${entry.id}`,
  } as const;
  if (clientId === null)
    return [
      {
        ...shared,
        audience: 'team',
        title: 'Your account is active again',
        body: 'Agents accept events and schedules run as before for all your clients.',
        href: '/dashboard',
      },
    ];
  return [
    {
      ...shared,
      audience: 'team',
      title: `${entry.clientName ?? 'A client'} is active again`,
      body: 'Its agents accept events and its schedules run as before.',
      href: `/dashboard/clients/${clientId}`,
    },
    {
      ...shared,
      audience: 'client',
      title: ({ t }) => t('notifications.resumed'),
      body: ({ t }) => t('notifications.reactivation-approved-text'),
      href: '/client',
    },
  ];
}

/** A request that the deciding side made itself: its portal decides it in the same click, so it is looked at again after that. */
export function isOwnRequest({ action, clientId, requesterRole }: NotifyingEntry): boolean {
  return isAccountRequest(action) && action.endsWith('.submitted') && clientId !== null && requesterRole === 'PARTNER';
}

type Request = 'deletion' | 'reactivation';

function submitted(entry: NotifyingEntry, request: Request): NewNotification | undefined {
  if (entry.requestStatus !== 'pending') return undefined;
  const { clientId, partnerId } = entry;
  const name = clientId === null ? entry.partnerName : (entry.clientName ?? 'A client');
  return {
    partnerId,
    clientId,
    audience: clientId === null ? 'staff' : 'admins',
    except: entry.actorId,
    type: 'account_request',
    tone: 'warn',
    title: request === 'deletion' ? `The deletion of ${name} is requested` : `The reactivation of ${name} is requested`,
    body: 'It is waiting for a decision.',
    href: clientId === null ? `/admin?item=${request}_request.${entry.targetId ?? ''}` : `/dashboard/clients/${clientId}`,
    subject: `account:${clientId ?? partnerId}`,
    dedupeKey: `audit:${entry.id}`,
  };
}

/** An approved deletion is `account_suspended` for the agency, with its mail; only client users who requested it are left. */
function decided(entry: NotifyingEntry, request: Request, approved: boolean): NewNotification | undefined {
  const { clientId, partnerId, note } = entry;
  const byClient = clientId !== null && entry.requesterRole === 'CLIENT';
  if (request === 'deletion' && approved && !byClient) return undefined;
  const name = clientId === null ? entry.partnerName : (entry.clientName ?? 'Your account');
  const href = byClient
    ? '/client/settings?part=business'
    : clientId === null
      ? '/dashboard/settings/account'
      : `/dashboard/clients/${clientId}`;
  const key = `notifications.${request}-${approved ? 'approved' : 'rejected'}` as const;
  const isArchivedAgain = request === 'reactivation' && entry.restoredStatus === 'archived';
  const text = isArchivedAgain ? ('notifications.reactivation-archived-text' as const) : (`${key}-text` as const);
  const accountType = clientId === null ? ('partner' as const) : ('client' as const);
  return {
    partnerId,
    clientId,
    audience: byClient ? 'client' : 'admins',
    except: entry.actorId,
    type: 'account_request_resolved',
    tone: approved && !isArchivedAgain ? (request === 'deletion' ? 'bad' : 'ok') : 'warn',
    title: ({ t }) => t(key, { name }),
    body: note ?? (({ t }) => t(text)),
    href,
    subject: `account:${clientId ?? partnerId}`,
    dedupeKey: `audit:${entry.id}`,
    mail: {
      kind: 'account_request_decided',
      data: { request, approved, isArchivedAgain, accountType, accountName: name, at: entry.at, note, href },
    },
  };
}

/** Reminds the side that decides of a reactivation that a removal waits for: staff also of a client whose agency is suspended, which cannot decide. */
export function notifyFromReactivations(notify: Notify): FactHandler<WaitingReactivation, SystemTx> {
  return (tx, waiting) => notify(tx, waiting.map(reminded));
}

function reminded({ number, ...request }: WaitingReactivation): NewNotification {
  const { id, partnerId, clientId, accountName, isPartnerActive, timezone, createdAt, purgeAfter } = request;
  const english = messagesFor('en');
  const [asked, due] = [createdAt, purgeAfter].map((at) => formatWhen(at, timezone, english));
  const isForStaff = clientId === null || !isPartnerActive;
  return {
    partnerId,
    clientId,
    audience: isForStaff ? 'staff' : 'admins',
    type: 'account_request',
    tone: 'warn',
    title: `The reactivation of ${accountName} waits for a decision`,
    body: `It was requested on ${asked}. The removal of the account is due on ${due} and does not begin before the decision.`,
    href: !isForStaff
      ? `/dashboard/clients/${clientId}`
      : clientId === null
        ? `/admin?item=reactivation_request.${id}`
        : `/admin/account-requests?show=reactivation&request=${id}`,
    subject: `account:${clientId ?? partnerId}`,
    dedupeKey: `reactivation-waits:${id}:${number}`,
  };
}
