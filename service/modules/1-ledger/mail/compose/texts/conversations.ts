import { visitorLabelFor } from '@partner-portal/messages/visitor-label.ts';
import type { MailData } from '../kinds.ts';
import { action, type Content, facts, quote, text, type TextContext } from './content.ts';
import { businessName, plainLines } from './plain.ts';

export function conversationHandedOff(data: MailData['conversation_handed_off'], { partnerName, when, link, t }: TextContext): Content {
  const client = businessName(data.clientName);
  return {
    subject: t('mail.waitsSubject', { client }),
    heading: t('mail.waitsHeading'),
    blocks: [
      text(`${t(`mail.why.${data.why}`)} ${t('mail.expectsReply')}`),
      facts([t('mail.visitor'), visitorLabelFor(t, data.visitorLabel)], [t('mail.since'), when(data.at)]),
      ...quote(plainLines(data.message, 1000)),
      action(t('mail.reply'), link(data.href)),
    ],
    reason: t('mail.handoffReason', { agency: partnerName, client }),
  };
}

export function conversationWaiting(data: MailData['conversation_waiting'], { partnerName, when, link, t }: TextContext): Content {
  const client = businessName(data.clientName);
  return {
    subject: t('mail.stillSubject', { client }),
    heading: t('mail.stillHeading'),
    blocks: [
      text(t('mail.noReply', { minutes: data.minutes })),
      facts([t('mail.visitor'), visitorLabelFor(t, data.visitorLabel)], [t('mail.since'), when(data.since)]),
      ...quote(plainLines(data.message, 1000)),
      action(t('mail.reply'), link(data.href)),
    ],
    reason: t('mail.handoffReason', { agency: partnerName, client }),
  };
}
