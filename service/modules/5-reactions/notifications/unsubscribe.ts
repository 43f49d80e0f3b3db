import type { NotificationType } from '@partner-portal/contract/vocabulary.ts';
import { NOTIFICATION_RULES, notificationTypesFor } from '@partner-portal/core/notification/notification.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { type Answer, answer } from '#platform/http/answer.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { describeChoice } from './choose-preferences.ts';
import type { NotificationsDeps } from './deps.ts';
import { DIGEST_KEY } from './send-digests.ts';
import { listChoices, listMailedKeys, lockMailedUser, saveChoices } from './store.ts';
import { openUnsubscribeToken, type Unsubscribed } from './unsubscribe-link.ts';

/** How long a notification may wait to be mailed. */
const MAIL_WAITS_DAYS = 7;

/** Sends a browser to the page with the button. Programs that check links in mails call this, so it changes nothing. */
export function showUnsubscribe({ links }: Pick<NotificationsDeps, 'links'>, token: string): Answer<undefined> {
  const list = openUnsubscribeToken(links, token)?.what === 'digest' ? 'digest' : 'notifications';
  return answer(302, undefined, { location: `/unsubscribe?${new URLSearchParams({ list, token })}` });
}

/**
 * Switches off the mails that carried the link, for the user it was sent to, and cancels those that wait; the bell stays. Repeating it, or using the link of a user who
 * is gone, gets the same response.
 */
export async function unsubscribe(
  { db, links, cancelKeyed }: Pick<NotificationsDeps, 'db' | 'links' | 'cancelKeyed'>,
  caller: Omit<RequestContext, 'actor'>,
  token: string,
): Promise<void> {
  const link = openUnsubscribeToken(links, token);
  if (!link) return refuse('not_found', { detail: 'This link is not valid.' });
  await db.asSystem('events', async (tx) => {
    const user = await lockMailedUser(tx, link.userId);
    if (!user) return;
    const chosen = new Map((await listChoices(tx, user.id)).map((choice) => [choice.type, choice]));
    const paceOf = (type: NotificationType) => chosen.get(type)?.email ?? NOTIFICATION_RULES[type].email;
    const choices = typesOf(link.what)
      .filter((type) => notificationTypesFor(user.role).includes(type) && !NOTIFICATION_RULES[type].emailFixed)
      .filter((type) => (link.what === 'digest' ? paceOf(type) === 'daily' : paceOf(type) !== 'off'))
      // The page says that the portal still shows them, also to the person who had them by e-mail alone.
      .map((type) => ({ type, inApp: true, email: 'off' as const }));
    if (choices.length === 0) return;
    const types = choices.map(({ type }) => type);
    const prefixes = link.what === 'digest' ? [DIGEST_KEY] : await listMailedKeys(tx, user.id, types, MAIL_WAITS_DAYS);
    await cancelKeyed(tx, { partnerId: user.partnerId, prefixes, userId: user.id });
    await saveChoices(tx, { userId: user.id, partnerId: user.partnerId, clientId: user.clientId }, choices);
    await recordAudit(tx, {
      partnerId: user.partnerId,
      clientId: user.clientId,
      // Anyone with the mail has the link, so the entry names no user as the actor.
      actor: { kind: 'system' },
      action: 'notification.preferences_changed',
      target: { type: 'user', id: user.id, label: user.email },
      changes: Object.fromEntries(
        choices.map((choice) => {
          const before = { inApp: chosen.get(choice.type)?.inApp ?? true, email: paceOf(choice.type) };
          return [choice.type, [describeChoice(before), describeChoice(choice)]];
        }),
      ),
      origin: originOf(caller),
    });
  });
}

function typesOf(what: Unsubscribed): NotificationType[] {
  return what === 'digest' ? (Object.keys(NOTIFICATION_RULES) as NotificationType[]) : [what]; // the keys of a record over the type
}
