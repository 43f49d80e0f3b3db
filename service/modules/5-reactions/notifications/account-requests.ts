import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { type AccountOutcome, accountOutcomeSentence } from '#modules/1-ledger/mail/index.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { formatWhen } from '@partner-portal/messages/when.ts';
import type { WaitingReactivation } from '#modules/2-tenancy/accounts/index.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { FactHandler } from '#platform/facts.ts';
import { type NewNotification, type Notify, withNote } from './notify.ts';
import type { SettledRequest } from './store.ts';
import type { NotifyingEntry } from './store-audit.ts';

/** Requests about accounts that people are notified of. */
const ACCOUNT_REQUEST_ACTIONS = [
  'deletion_request.cancelled',
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
  if (action === 'deletion_request.cancelled') return [];
  const request = action.startsWith('deletion') ? 'deletion' : 'reactivation';
  const isApproved = action.endsWith('.approved');
  // The system approves what was pending when the account was resumed in another way, which reaches the same people.
  if (request === 'reactivation' && isApproved && entry.actorId === null) return [];
  const one = action.endsWith('.submitted') ? submitted(entry, request) : decided(entry, request, isApproved);
  if (request === 'deletion' || !isApproved) return one ? [one] : [];
  // The first of two about one entry counts for each person.
  return [...(one ? [one] : []), ...withdrawn(entry), ...(entry.restoredStatus === 'active' ? resumed(entry) : [])];
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
      body: sentenceOf(entry, activeOutcome(entry))(messagesFor('en')),
      href: `/dashboard/clients/${clientId}`,
    },
    {
      ...shared,
      audience: 'client',
      title: ({ t }) => t('notifications.resumed'),
      body: sentenceOf(entry, activeOutcome(entry)),
      href: '/client',
    },
  ];
}

/** A request that the deciding side made itself: its portal decides it in the same click, so it is looked at again after that. */
export function isOwnRequest({ action, clientId, requesterRole }: NotifyingEntry): boolean {
  return isAccountRequest(action) && action.endsWith('.submitted') && clientId !== null && requesterRole === 'PARTNER';
}

type Request = 'deletion' | 'reactivation';

const submittedKey = ({ id, targetId }: NotifyingEntry): string => `account-request:${targetId ?? id}`;

/** Whether a request waits no longer, because it was decided or withdrawn. */
export const endsRequest = ({ action }: NotifyingEntry): boolean => isAccountRequest(action) && !action.endsWith('.submitted');

/** What the deciding side read of a request that ended, also of a reactivation that it was reminded of. */
export const settledRequest = (entry: NotifyingEntry): SettledRequest => ({
  partnerId: entry.partnerId,
  clientId: entry.clientId,
  keys: [submittedKey(entry), `reactivation-waits:${entry.targetId ?? ''}:`],
  body: 'It was decided or withdrawn.',
});

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
    dedupeKey: submittedKey(entry),
  };
}

/** What the decision leads to; undefined for an entry of another kind. An approved deletion suspends the account until its removal. */
function outcomeOf(entry: NotifyingEntry, request: Request, approved: boolean): AccountOutcome | undefined {
  if (request === 'deletion') {
    if (!approved) return 'stays_as_it_is';
    return entry.purgeAfter === null ? undefined : { suspendedUntil: new Date(entry.purgeAfter) };
  }
  if (entry.restoredStatus === 'archived') return approved ? 'archived_again' : 'archived_instead';
  if (approved) return activeOutcome(entry);
  if (entry.deletionStatus === 'approved') return 'deletion_instead';
  if (entry.purgeAfter === null) return 'stays_suspended';
  const removal = new Date(entry.purgeAfter);
  return removal <= entry.at ? { removedSince: removal } : { removedFrom: removal };
}

/** A client of a suspended agency is active without effect. */
const activeOutcome = ({ clientId, partnerStatus }: NotifyingEntry): AccountOutcome =>
  clientId !== null && partnerStatus !== 'active' ? 'active_with_agency' : 'active';

const sentenceOf =
  ({ partnerName, timezone }: NotifyingEntry, outcome: AccountOutcome) =>
  (messages: Messages): string =>
    accountOutcomeSentence(messages.t, outcome, { agency: partnerName, when: (at) => formatWhen(at, timezone, messages) });

const CLIENT_PAGE = '/client/settings?part=business';

/** An approved deletion is `account_suspended` for the agency, with its mail; only client users who requested it are left. */
function decided(entry: NotifyingEntry, request: Request, approved: boolean): NewNotification | undefined {
  const { clientId, partnerId, note } = entry;
  const byClient = clientId !== null && entry.requesterRole === 'CLIENT';
  const outcome = outcomeOf(entry, request, approved);
  if (outcome === undefined || (request === 'deletion' && approved && !byClient)) return undefined;
  const name = clientId === null ? entry.partnerName : (entry.clientName ?? 'Your account');
  const href = byClient ? CLIENT_PAGE : clientId === null ? '/dashboard/settings/account' : `/dashboard/clients/${clientId}`;
  const key = `notifications.${request}-${approved ? 'approved' : 'rejected'}` as const;
  const accountType = clientId === null ? ('partner' as const) : ('client' as const);
  return {
    partnerId,
    clientId,
    audience: byClient ? 'client' : 'admins',
    except: entry.actorId,
    type: 'account_request_resolved',
    tone: approved && outcome !== 'archived_again' ? (request === 'deletion' ? 'bad' : 'ok') : 'warn',
    title: ({ t }) => t(key, { name }),
    body: (messages) => withNote(messages, sentenceOf(entry, outcome)(messages), note),
    href,
    subject: `account:${clientId ?? partnerId}`,
    dedupeKey: `audit:${entry.id}`,
    mail: {
      kind: 'account_request_decided',
      data: { request, approved, outcome, accountType, accountName: name, at: entry.at, note, href },
    },
  };
}

/** The users of a client who asked for its deletion learn that its agency or staff took it back. */
function withdrawn(entry: NotifyingEntry): NewNotification[] {
  const { clientId, partnerId, clientName, requesterRole, deletionStatus, deletionRequesterRole } = entry;
  const outcome = outcomeOf(entry, 'reactivation', true);
  if (clientId === null || outcome === undefined || requesterRole === 'CLIENT') return [];
  if (deletionStatus !== 'cancelled' || deletionRequesterRole !== 'CLIENT') return [];
  return [
    {
      partnerId,
      clientId,
      audience: 'client',
      type: 'account_request_resolved',
      tone: 'warn',
      title: ({ t }) => t('notifications.deletion-withdrawn', { name: clientName ?? '' }),
      body: sentenceOf(entry, outcome),
      href: CLIENT_PAGE,
      subject: `account:${clientId}`,
      dedupeKey: `audit:${entry.id}`,
    },
  ];
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
