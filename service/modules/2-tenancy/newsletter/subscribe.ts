import { NEWSLETTER_CONSENT, consentText } from '@partner-portal/contract/newsletter-consent.ts';
import { CONFIRM_DAYS } from '@partner-portal/core/newsletter/newsletter.ts';
import { type Origin, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuseField } from '#platform/refuse.ts';
import type { NewsletterDeps } from './deps.ts';
import { subscribedMail } from './subscribed-mail.ts';
import { putRequest } from './store.ts';

export type SubscriptionRequest = { email: string; source: string; textVersion: number; at: Date; origin: Origin };

const DAY_MS = 86_400_000;

/**
 * Stores a request and mails a link to confirm it. An address that is subscribed already gets the same response by the same steps and learns
 * the rest by mail. One caller and one address have limits; beyond the one of the address nothing is mailed, with the same response.
 */
export async function subscribe(
  deps: NewsletterDeps,
  caller: Omit<RequestContext, 'actor'>,
  given: { email: string; source?: string | undefined; textVersion?: number | undefined },
) {
  const textVersion = given.textVersion ?? NEWSLETTER_CONSENT.version;
  if (consentText(textVersion) === undefined) refuseField('textVersion', 'unknown', 'There is no such version of the consent text.');
  await deps.limits.require('newsletterOfAddress', caller.address);
  const mayMail = await mayMailAddress(deps, given.email);
  const request = { email: given.email, source: given.source ?? 'api', textVersion, at: caller.now, origin: originOf(caller) };
  await deps.db.asSystem('newsletter', (tx) => requestSubscription(deps, tx, request, { mayMail, askedFrom: caller.address }));
  return { status: 'pending' as const };
}

/** Counts a mail to an address that anyone may have typed. */
export async function mayMailAddress({ limits }: { limits: Pick<RateLimits<'newsletterMail'>, 'count'> }, email: string): Promise<boolean> {
  return !(await limits.count('newsletterMail', email)).exceeded;
}

/** Stores a request in the caller's transaction; the application form asks this way. */
export async function requestSubscription(
  { mail }: Pick<NewsletterDeps, 'mail'>,
  tx: SystemTx,
  { origin, ...request }: SubscriptionRequest,
  { mayMail, askedFrom }: { mayMail: boolean; askedFrom: string },
): Promise<void> {
  const { id, isConfirmed, housePartnerId } = await putRequest(tx, request);
  // Without the address: it is erased when the person leaves, and entries are not.
  await recordAudit(tx, {
    partnerId: housePartnerId,
    actor: { kind: 'system' },
    action: 'newsletter.requested',
    target: { type: 'newsletter_subscriber', id },
    origin,
  });
  if (!mayMail) return;
  if (isConfirmed) await mail.queueMail(tx, { ...subscribedMail(mail.links, { id, email: request.email, housePartnerId }), askedFrom });
  else {
    const expiresAt = new Date(request.at.getTime() + CONFIRM_DAYS * DAY_MS);
    const token = mail.links.seal('newsletter-confirm', [id, String(expiresAt.getTime())]);
    await mail.queueMail(tx, {
      partnerId: housePartnerId,
      to: request.email,
      askedFrom,
      kind: 'newsletter_confirm',
      data: { confirmUrl: mail.links.address('/confirm-newsletter', token), expiresAt, consent: consentText(request.textVersion) ?? '' },
    });
  }
}
