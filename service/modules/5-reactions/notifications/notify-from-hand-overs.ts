import type { Messages } from '@partner-portal/messages/messages.ts';
import { visitorLabelFor } from '@partner-portal/messages/visitor-label.ts';
import type { HandedOff } from '#modules/3-product/conversations/index.ts';
import type { FactHandler } from '#platform/facts.ts';
import type { NewNotification, Notify } from './notify.ts';

/** What groups the notifications of a conversation. */
export const conversationSubject = (id: string): string => `conversation:${id}`;

/** Notifies the agency's team and the client's users that a visitor waits for a person. */
export function notifyFromHandOvers(notify: Notify): FactHandler<HandedOff> {
  return (tx, handedOff) => notify(tx, handedOff.flatMap(notificationsFor));
}

function notificationsFor({
  partnerId,
  clientId,
  conversationId,
  clientName,
  visitorLabel,
  turnId,
  isMailed,
  mailedTo,
}: HandedOff): NewNotification[] {
  const common = {
    partnerId,
    clientId,
    type: 'conversation_handed_off',
    tone: 'warn',
    subject: conversationSubject(conversationId),
    mailTo: isMailed ? 'all' : 'none',
    mailedTo,
    dedupeKey: `conversation-handed-off:${turnId}`,
    body: ({ t }: Messages) => t('notifications.waits-text', { visitor: visitorLabelFor(t, visitorLabel) }),
  } as const;
  return [
    {
      ...common,
      audience: 'team',
      title: `A visitor to ${clientName}’s website waits for a person`,
      href: `/dashboard/inbox/${conversationId}`,
    },
    { ...common, audience: 'client', title: ({ t }) => t('notifications.waits'), href: `/client/inbox/${conversationId}` },
  ];
}
