import { linkToken } from '@partner-portal/contract/primitives.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { type Answer, answer } from '#platform/http/answer.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import type { NewsletterDeps } from './deps.ts';
import { unsubscribe } from './store.ts';

/** Sends a browser to the page with the button: programs that check links in mails call this. */
export function showUnsubscribe(token: string): Answer<undefined> {
  return answer(302, undefined, { location: `/unsubscribe?${new URLSearchParams({ list: 'newsletter', token })}` });
}

/** Ends a subscription and erases its address. Repeating it gets the same response. */
export async function endSubscription({ db, mail }: NewsletterDeps, caller: Omit<RequestContext, 'actor'>, given: string | undefined) {
  const token = given ?? (await tokenInBody(caller));
  const [id] = mail.links.open('newsletter-off', token) ?? [];
  if (id === undefined) return refuse('not_found', { detail: 'This link is not valid.' });
  await db.asSystem('newsletter', async (tx) => {
    const ended = await unsubscribe(tx, id, caller.now);
    if (!ended) return;
    await recordAudit(tx, {
      partnerId: ended.housePartnerId,
      actor: { kind: 'system' },
      action: 'newsletter.unsubscribed',
      target: { type: 'newsletter_subscriber', id },
      origin: originOf(caller),
    });
  });
  return { status: 'unsubscribed' as const };
}

/** Mail programs have the token in the address, and their body may be of a kind that nothing else accepts. */
async function tokenInBody({ rawBody }: Omit<RequestContext, 'actor'>): Promise<string> {
  const { value } = await rawBody.read();
  const token = Array.isArray(value) ? undefined : value['token'];
  if (typeof token !== 'string') return refuseField('token', 'required', 'The token of the link is missing.');
  return linkToken.safeParse(token).success ? token : refuseField('token', 'too_long', 'The token of the link is too long.');
}
