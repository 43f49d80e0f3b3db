import { openConfirmation } from '@partner-portal/core/newsletter/newsletter.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import type { NewsletterDeps } from './deps.ts';
import { confirm, findSubscriber } from './store.ts';
import { subscribedMail } from './subscribed-mail.ts';

/** Confirms a subscription and mails how to leave it. Repeating it gets the same response and no second mail. */
export async function confirmSubscription({ db, mail }: NewsletterDeps, caller: Omit<RequestContext, 'actor'>, token: string) {
  const id = openConfirmation(mail.links.open('newsletter-confirm', token), caller.now);
  if (id === null) return refuse('not_found', { detail: 'This link is not valid or has expired. Subscribe again to get a new one.' });
  await db.asSystem('newsletter', async (tx) => {
    const confirmed = await confirm(tx, id, caller.now);
    if (!confirmed) {
      if ((await findSubscriber(tx, id))?.status === 'confirmed') return;
      return refuse('not_found', { detail: 'This subscription has ended. Subscribe again to get a new link.' });
    }
    const { email, housePartnerId } = confirmed;
    await recordAudit(tx, {
      partnerId: housePartnerId,
      actor: { kind: 'system' },
      action: 'newsletter.confirmed',
      target: { type: 'newsletter_subscriber', id },
      origin: originOf(caller),
    });
    await mail.queueMail(tx, subscribedMail(mail.links, { id, email, housePartnerId }));
  });
  return { status: 'confirmed' as const };
}
