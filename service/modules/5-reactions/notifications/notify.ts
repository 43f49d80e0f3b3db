import { type EmailPace, LOCALES, type NotificationTone, type NotificationType } from '@partner-portal/contract/vocabulary.ts';
import { NOTIFICATION_RULES } from '@partner-portal/core/notification/notification.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import type { Tx } from '#platform/db/tx.ts';
import { announce } from '#platform/notify.ts';
import type { MailLinks, NewMail, QueueMail } from '#modules/1-ledger/mail/index.ts';
import { addNotifications, type NotificationTexts, type Notified } from './store.ts';
import { unsubscribeFrom } from './unsubscribe-link.ts';
import { notificationsChanged } from './topic.ts';

/** Recipients: the partner's team or its admins, the users of one of its clients, or staff. */
export type Audience = 'team' | 'admins' | 'client' | 'staff';

/** A mail without its recipient. */
export type NotificationMail = { [Mail in NewMail as Mail['kind']]: Pick<Mail, 'kind' | 'data'> }[NewMail['kind']];

/** A text of a notification: English, or for users of clients as the language of each writes it. */
export type NotificationText = string | ((messages: Messages) => string);

/** A sentence with the note of the person who decided, where they gave one. */
export const withNote = ({ t }: Pick<Messages, 't'>, text: string, note: string | null): string =>
  note ? t('notifications.with-note', { text, note }) : text;

/** A notification before its recipients are resolved. */
export type NewNotification = {
  /** The partner it concerns. */
  partnerId: string;
  /** The client it concerns, null when it is about the agency. Required for the audience `client`. */
  clientId: string | null;
  audience?: Audience;
  userIds?: readonly string[];
  /** The user who caused it and is not notified. */
  except?: string | null | undefined;
  type: NotificationType;
  tone: NotificationTone;
  title: NotificationText;
  body: NotificationText;
  /** Page of the portal, in the area of the recipients. */
  href: string;
  /** The subject, for example `agent:<id>`; groups the bell. */
  subject: string;
  /** Deduplication key: each recipient gets one notification per key. */
  dedupeKey: string;
  /**
   * Recipients of mail, if they chose so: all recipients (default), the recipients named by the partner's alert rules, those and every admin,
   * all but admins, or none, because another module sends the mail. `at_once`: all recipients, at once, also those who chose otherwise.
   */
  mailTo?: 'all' | 'at_once' | 'recipients' | 'recipients_and_admins' | 'all_but_admins' | 'none';
  /** An address that another module mails about it: its user gets no second mail at once. */
  mailedTo?: string | null | undefined;
  /** Replaces the plain mail of title and body. */
  mail?: NotificationMail;
};

export type Notify = (tx: Tx, notifications: NewNotification | readonly NewNotification[]) => Promise<void>;

const BATCH = 150;
/** A notice holds at most 8000 bytes; an id takes 39 of them. */
const IDS_IN_NOTICE = 180;

type MailingDeps = { queueMail: QueueMail; links: MailLinks };

/**
 * Creates notifications in the caller's transaction: one statement per batch, one mail per recipient who wants it at once, one notice to
 * open streams. Repeating a `dedupeKey` has no effect. Staff are reached by system transactions only.
 */
export function createNotify(deps: MailingDeps): Notify {
  return async (tx, notifications) => {
    const all = 'type' in notifications ? [notifications] : notifications;
    for (let at = 0; at < all.length; at += BATCH) await notifyBatch(deps, tx, all.slice(at, at + BATCH));
  };
}

async function notifyBatch(deps: MailingDeps, tx: Tx, batch: readonly NewNotification[]): Promise<void> {
  const added = await addNotifications(
    tx,
    batch.map((one, n) => ({
      n,
      partner: one.partnerId,
      client: one.clientId,
      audience: one.audience ?? null,
      users: one.userIds ?? [],
      except: one.except ?? null,
      type: one.type,
      tone: one.tone,
      texts: textsOf(one),
      href: one.href,
      subject: one.subject,
      key: one.dedupeKey,
      mailTo: one.mailTo ?? 'all',
      email: NOTIFICATION_RULES[one.type].email satisfies EmailPace,
    })),
  );
  for (const row of added) {
    const one = batch[row.n];
    if (one && row.mail === 'now' && row.email.toLowerCase() !== one.mailedTo?.toLowerCase())
      await deps.queueMail(tx, mailFor(deps, one, row));
  }
  await announceTo(
    tx,
    added.map((row) => row.userId),
  );
}

/** Announces to the open streams of users that their notifications changed. */
export async function announceTo(tx: Tx, users: readonly string[]): Promise<void> {
  const userIds = [...new Set(users)];
  for (let at = 0; at < userIds.length; at += IDS_IN_NOTICE)
    await announce(tx, notificationsChanged, { userIds: userIds.slice(at, at + IDS_IN_NOTICE) });
}

/** The texts in each language, from which the statement takes that of each recipient. */
function textsOf({ title, body }: NewNotification): NotificationTexts {
  const isOne = typeof title === 'string' && typeof body === 'string';
  return Object.fromEntries(
    (isOne ? (['en'] as const) : LOCALES).map((locale) => {
      const messages = messagesFor(locale);
      const write = (text: NotificationText): string => (typeof text === 'string' ? text : text(messages));
      return [locale, { title: write(title), body: write(body) }];
    }),
  );
}

function mailFor({ links }: MailingDeps, notification: NewNotification, { userId, userPartnerId, email, title, body }: Notified): NewMail {
  const { partnerId, clientId, href, dedupeKey } = notification;
  const mail: NotificationMail = notification.mail ?? { kind: 'notification', data: { title, body, href } };
  const about = { partnerId, clientId };
  const listUnsubscribe = unsubscribeFrom(links, userId, notification.type);
  return { partnerId: userPartnerId, to: email, userId, about, dedupeKey, listUnsubscribe, ...mail } as NewMail; // kind and data come from one NotificationMail
}
