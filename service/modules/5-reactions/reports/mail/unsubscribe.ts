import { z } from 'zod';
import { type Answer, answer } from '#platform/http/answer.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { ReportsDeps } from '../deps.ts';
import { endSubscription } from './store.ts';

const subject = z.tuple([z.uuid(), z.uuid()]);

/** Sends a browser to the page with the button. Programs that check links in mails call this, so it changes nothing. */
export function showUnsubscribe(token: string): Answer<undefined> {
  return answer(302, undefined, { location: `/unsubscribe?${new URLSearchParams({ list: 'report', token })}` });
}

/** Ends the report that carried the link, for the person it was sent to. Repeating it gets the same response. */
export async function unsubscribe(
  { db, mail }: Pick<ReportsDeps, 'db' | 'mail'>,
  caller: Omit<RequestContext, 'actor'>,
  token: string,
): Promise<void> {
  const link = subject.safeParse(mail.links.open('report-off', token));
  if (!link.success) return refuse('not_found', { detail: 'This link is not valid.' });
  const [clientId, userId] = link.data;
  await db.asSystem('events', async (tx) => {
    const ended = await endSubscription(tx, { clientId, userId, now: caller.now });
    if (!ended) return;
    await recordAudit(tx, {
      partnerId: ended.partnerId,
      clientId,
      // Anyone who has the mail has the link, so the entry names no user as the actor.
      actor: { kind: 'system' },
      action: 'report.recipient_changed',
      target: { type: 'user', id: userId, label: ended.email },
      changes: { isSubscribed: [ended.wasSubscribed, false] },
      origin: originOf(caller),
    });
  });
}
