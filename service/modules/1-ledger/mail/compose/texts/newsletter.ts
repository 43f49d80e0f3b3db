import { KEEP_PENDING_DAYS } from '@partner-portal/core/newsletter/newsletter.ts';
import type { MailData } from '../kinds.ts';
import { action, type Content, quote, small, text, type TextContext } from './content.ts';

export function newsletterConfirm(data: MailData['newsletter_confirm'], { partnerName, when, link }: TextContext): Content {
  return {
    subject: 'Confirm your subscription',
    heading: 'Confirm your subscription',
    blocks: [
      text(`Someone asked for the newsletter of ${partnerName} with this address and agreed to this:`),
      ...quote(data.consent),
      action('Confirm subscription', link(data.confirmUrl)),
      small(`This link works until ${when(data.expiresAt)}. Until you confirm, we send you nothing else.`),
    ],
    reason: `If you did not ask for it, ignore this e-mail: your address is deleted after ${KEEP_PENDING_DAYS} days.`,
  };
}

export function newsletterSubscribed(data: MailData['newsletter_subscribed'], { partnerName, link }: TextContext): Content {
  return {
    subject: 'You are subscribed',
    heading: 'You are subscribed',
    blocks: [
      text(`You get the newsletter of ${partnerName} at this address. Keep this e-mail: its link ends the subscription at any time.`),
      action('Unsubscribe', link(data.unsubscribeHref)),
    ],
    reason: 'You are receiving this e-mail because you confirmed your subscription.',
  };
}
