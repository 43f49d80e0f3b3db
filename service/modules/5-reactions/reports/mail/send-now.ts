import { LIMITS, type Locale } from '@partner-portal/contract/vocabulary.ts';
import { reportTag } from '@partner-portal/core/report/paper.ts';
import { localeOf } from '@partner-portal/messages/locale.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { once } from '#modules/1-ledger/first-answers/index.ts';
import type { ReportsDeps } from '../deps.ts';
import { requireMonth } from '../read/read-report.ts';
import { findReportClient, type ReportClient } from '../read/store.ts';
import { hasOptedOut } from '../recipients/recipients.ts';
import { listRecipients, type RecipientRow } from '../recipients/store.ts';
import { prepareMail } from './compose.ts';
import { recordSent } from './store.ts';

export type SendInput = { month: string; userIds?: string[] | undefined; to?: 'subscribed' | 'me' | undefined };
type Sent = { month: string; queued: number; skipped: { userId: string; reason: 'opted_out' }[] };

/** Mails the report of a finished month now. The same call with the same Idempotency-Key sends nothing twice. */
export function sendNow(deps: ReportsDeps, caller: RequestContext, clientId: string, input: SendInput): Promise<Sent> {
  const { actor } = caller;
  return deps.db.asTenant(actor, async (tx) => {
    const client = await findReportClient(tx, clientId, null);
    if (!client) return refuse('not_found');
    const call = { names: ['sendClientReport', clientId], partnerId: actor.partnerId, body: input };
    return once(tx, caller, call, () => send(deps, tx, caller, client, input));
  });
}

async function send(deps: ReportsDeps, tx: Tx, caller: RequestContext, client: ReportClient, input: SendInput): Promise<Sent> {
  const { actor, now } = caller;
  if (client.status !== 'active') return refuse('invalid_state', { detail: `This client is ${client.status}.` });
  const { month, isFinished } = requireMonth(client, input.month, now);
  if (!isFinished) return refuseField('month', 'not_ended', 'That month has not ended yet.');
  const chosen = await listChosen(tx, client.id, input, actor.userId);
  // A person who asks for it gets it.
  const skipped = chosen.filter((one) => hasOptedOut(one) && one.userId !== actor.userId);
  const readers = chosen.filter((one) => !skipped.includes(one));
  const compose = await prepareMail(deps, tx, client, { month, isFinished });
  if (!compose) return refuse('invalid_state', { detail: 'No agent ran in that month.' });
  await deps.limits.require('reportSend', client.partnerId);
  for (const { userId, email, locale, role } of readers) await deps.mail.queueMail(tx, compose({ userId, email, locale, role }));
  const userIds = readers.map((one) => one.userId);
  await recordSent(tx, { clientId: client.id, partnerId: client.partnerId, month, userIds, now });
  await recordAudit(tx, {
    partnerId: client.partnerId,
    clientId: client.id,
    actor,
    action: 'report.sent',
    target: { type: 'client', id: client.id, label: client.name },
    changes: { month: [null, month], people: [null, namesOf(readers)] },
    origin: originOf(caller),
  });
  return { month, queued: readers.length, skipped: skipped.map(({ userId }) => ({ userId, reason: 'opted_out' as const })) };
}

/** The first of them by address, and how many more there are: a team may have any size. */
function namesOf(readers: readonly RecipientRow[]): string {
  const named = readers.slice(0, LIMITS.reportsPerSendMax).map((one) => one.email);
  const more = readers.length - named.length;
  return more === 0 ? named.join(', ') : `${named.join(', ')} +${more}`;
}

async function listChosen(tx: Tx, clientId: string, { userIds, to }: SendInput, ownId: string): Promise<RecipientRow[]> {
  if (to === 'subscribed') return listRecipients(tx, clientId, to);
  const ids = to === 'me' ? [ownId] : [...new Set(userIds)];
  const found = await listRecipients(tx, clientId, { ids });
  if (found.length < ids.length) refuseField('userIds', 'unknown', 'One of these people cannot get the report of this client.');
  return found;
}

/** Returns the mail of a month as a user of the client would get it. */
export function previewReport(
  deps: ReportsDeps,
  { actor, now }: RequestContext,
  clientId: string,
  query: { month?: string | undefined; locale?: Locale | undefined },
) {
  return deps.db.asTenant(actor, async (tx) => {
    const client = await findReportClient(tx, clientId, null);
    if (!client) return refuse('not_found');
    const compose = await prepareMail(deps, tx, client, requireMonth(client, query.month, now));
    if (!compose) return refuse('invalid_state', { detail: 'No agent ran in that month.' });
    const locale = reportTag(query.locale ?? localeOf(client.locale), client.timezone);
    const mail = await deps.mail.previewMail(tx, compose({ userId: actor.userId, email: actor.email, locale, role: 'CLIENT' }));
    return mail ? { subject: mail.subject, html: mail.html, text: mail.text } : refuse('not_found');
  });
}
