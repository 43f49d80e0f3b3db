import type { EmailPace, NotificationTone, NotificationType } from '@partner-portal/contract/vocabulary.ts';
import { NOTIFICATION_RULES } from '@partner-portal/core/notification/notification.ts';
import type { Tx } from '#platform/db/tx.ts';
import { announce } from '#platform/notify.ts';
import type { NewMail, QueueMail } from '#modules/1-ledger/mail/index.ts';
import { addNotifications, type Told } from './store.ts';
import { notificationsChanged } from './topic.ts';

/** Who is told: the agency's team or its admins, the users of one of its clients, or staff. */
export type Audience = 'team' | 'admins' | 'client' | 'staff';

/** A mail without its receiver. */
export type MailOfNews = { [Mail in NewMail as Mail['kind']]: Pick<Mail, 'kind' | 'data'> }[NewMail['kind']];

/** Something that people are told once. */
export type News = {
  /** The agency it happened to. */
  partnerId: string;
  /** Named when the audience is `client`. */
  clientId?: string | null;
  audience?: Audience;
  userIds?: readonly string[];
  /** Who knows already, having done it. */
  except?: string | null | undefined;
  type: NotificationType;
  tone: NotificationTone;
  title: string;
  body: string;
  /** A page of the face of those who are told. */
  href: string;
  /** What it is about, for example `agent:<id>`. */
  subject: string;
  /** Names the fact: nobody is told of it twice. */
  dedupeKey: string;
  /**
   * Whom it is mailed to, by their own choice: everybody told (the default), the recipients the agency's alert rules name,
   * those and every admin, or nobody (another room mails this fact).
   */
  mailTo?: 'all' | 'recipients' | 'recipients_and_admins' | 'nobody';
  /** In place of a plain mail of title and body. */
  mail?: MailOfNews;
};

export type Notify = (tx: Tx, news: News | readonly News[]) => Promise<void>;

const TOLD_AT_ONCE = 150;
/** A notice holds at most 8000 bytes; an id takes 39 of them. */
const IDS_IN_NOTICE = 180;

/**
 * Tells people in the caller's transaction: one statement for all news, one mail for each that somebody wants at once. The same
 * fact (`dedupeKey`) reaches a person once, however often it is told. Staff can only be told by a system transaction.
 */
export function createNotify(deps: { queueMail: QueueMail }): Notify {
  return async (tx, news) => {
    const all = 'type' in news ? [news] : news;
    for (let at = 0; at < all.length; at += TOLD_AT_ONCE) await tell(deps, tx, all.slice(at, at + TOLD_AT_ONCE));
  };
}

async function tell(deps: { queueMail: QueueMail }, tx: Tx, news: readonly News[]): Promise<void> {
  const told = await addNotifications(
    tx,
    news.map((one, n) => ({
      n,
      partner: one.partnerId,
      client: one.clientId ?? null,
      audience: one.audience ?? null,
      users: one.userIds ?? [],
      except: one.except ?? null,
      type: one.type,
      tone: one.tone,
      title: one.title,
      body: one.body,
      href: one.href,
      subject: one.subject,
      key: one.dedupeKey,
      mailTo: one.mailTo ?? 'all',
      email: NOTIFICATION_RULES[one.type].email satisfies EmailPace,
    })),
  );
  for (const row of told) {
    const one = news[row.n];
    if (one && row.mail === 'now') await deps.queueMail(tx, mailFor(one, row));
  }
  const userIds = [...new Set(told.map((row) => row.userId))];
  for (let at = 0; at < userIds.length; at += IDS_IN_NOTICE)
    await announce(tx, notificationsChanged, { userIds: userIds.slice(at, at + IDS_IN_NOTICE) });
}

function mailFor(news: News, { userId, userPartnerId, email }: Told): NewMail {
  const { title, body, href, dedupeKey } = news;
  const mail: MailOfNews = news.mail ?? { kind: 'notification', data: { title, body, href } };
  return { partnerId: userPartnerId, to: email, userId, dedupeKey, ...mail } as NewMail; // kind and data stay together as they came
}
