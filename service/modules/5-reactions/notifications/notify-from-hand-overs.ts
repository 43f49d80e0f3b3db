import type { Messages } from '@partner-portal/messages/messages.ts';
import { visitorLabelFor } from '@partner-portal/messages/visitor-label.ts';
import type { HandedOff, WaitReminded } from '#modules/3-product/conversations/index.ts';
import type { FactHandler } from '#platform/facts.ts';
import type { NewNotification, Notify } from './notify.ts';

/** What groups the notifications of a conversation. */
export const conversationSubject = (id: string): string => `conversation:${id}`;

/** Deduplication keys of a hand-over and of a reminder, also those of the mail to the hand-over address, begin with one of these. */
export const waitKeys = (conversationId: string): string[] =>
  ['conversation-handed-off', 'conversation_handed_off', 'conversation-waiting', 'conversation_waiting'].map(
    (kind) => `${kind}:${conversationId}:`,
  );

/** Notifies the agency's team and the client's users that a visitor waits for a person. */
export function notifyFromHandOvers(notify: Notify): FactHandler<HandedOff> {
  return (tx, handedOff) =>
    notify(
      tx,
      handedOff.flatMap((one) =>
        notificationsOf(one, {
          word: 'waits',
          mailTo: one.isMailed ? 'all' : 'none',
          dedupeKey: `conversation-handed-off:${one.conversationId}:${one.turnId}`,
        }),
      ),
    );
}

/** Notifies them once more for a wait. The hand-over address, where there is one, has the mail. */
export function notifyFromReminders(notify: Notify): FactHandler<WaitReminded> {
  return (tx, reminded) =>
    notify(
      tx,
      reminded.flatMap((wait) =>
        notificationsOf(wait, {
          word: 'still waits',
          mailTo: wait.isMailed && !wait.mailedTo ? 'all' : 'none',
          dedupeKey: `conversation-waiting:${wait.conversationId}:${wait.waitingSince.getTime()}`,
        }),
      ),
    );
}

function notificationsOf(
  { partnerId, clientId, conversationId, clientName, visitorLabel, mailedTo }: Omit<HandedOff, 'turnId' | 'isMailed'>,
  { word, ...how }: { word: string; mailTo: 'all' | 'none'; dedupeKey: string },
): NewNotification[] {
  const common = {
    partnerId,
    clientId,
    type: 'conversation_handed_off',
    tone: 'warn',
    subject: conversationSubject(conversationId),
    mailedTo,
    ...how,
    body: ({ t }: Messages) => t('notifications.waits-text', { visitor: visitorLabelFor(t, visitorLabel) }),
  } as const;
  return [
    {
      ...common,
      audience: 'team',
      title: `A visitor to ${clientName}’s website ${word} for a person`,
      href: `/dashboard/inbox/${conversationId}`,
    },
    { ...common, audience: 'client', title: ({ t }) => t('notifications.waits'), href: `/client/inbox/${conversationId}` },
  ];
}
