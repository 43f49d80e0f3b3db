import { NOTIFICATION_TYPES, type NotificationType } from '@partner-portal/contract/vocabulary.ts';
import { NOTIFICATION_RULES } from '@partner-portal/core/notification/notification.ts';
import type { MailLinks } from '#modules/1-ledger/mail/index.ts';

/** Mail that one click ends: one type, or the daily summary, which is every type that is mailed daily. */
export type Unsubscribed = NotificationType | 'digest';

/** Returns the one-click address of a mail; none for mail that cannot be switched off. */
export function unsubscribeFrom(links: MailLinks, userId: string, what: Unsubscribed): { url: string } | undefined {
  if (what !== 'digest' && NOTIFICATION_RULES[what].emailFixed) return undefined;
  return { url: links.address('/notifications/unsubscribe', links.seal('notifications-off', [userId, what])) };
}

/** Returns whose mail a link ends, and which; null for a token that is no such link. */
export function openUnsubscribeToken(links: MailLinks, token: string): { userId: string; what: Unsubscribed } | null {
  const [userId, name] = links.open('notifications-off', token) ?? [];
  const what = [...NOTIFICATION_TYPES, 'digest' as const].find((one) => one === name);
  return userId === undefined || what === undefined ? null : { userId, what };
}
