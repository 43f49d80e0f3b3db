import type { MailLinks, NewMail } from '#modules/1-ledger/mail/index.ts';

/** The first mail of a subscription, which holds the link to leave it; also sent to a subscriber who asks again. */
export function subscribedMail(
  links: MailLinks,
  { id, email, housePartnerId }: { id: string; email: string; housePartnerId: string },
): NewMail<'newsletter_subscribed'> {
  // Opened in a browser it leads to the page with the button.
  const url = links.address('/newsletter/unsubscribe', links.seal('newsletter-off', [id]));
  return {
    partnerId: housePartnerId,
    to: email,
    kind: 'newsletter_subscribed',
    data: { unsubscribeHref: url },
    listUnsubscribe: { url },
  };
}
