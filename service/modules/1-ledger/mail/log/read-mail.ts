import type { MailKind } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { refuse } from '#platform/refuse.ts';
import { type AuditEntry, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { MailDeps } from '../deps.ts';
import { openBody } from '../delivery/seal-body.ts';
import { recordMailStatus } from '../delivery/mail-status.ts';
import { sendMailJob } from '../delivery/send-mail-job.ts';
import { findMail, listMailRows, type MailFilters, type MailRow, requeue, type StoredMail } from './store-views.ts';
import { SealFault } from '#platform/seal-fault.ts';

type MailQuery = MailFilters & { limit: number; cursor?: string | undefined };
type Detail = { text: string | null; links: string[]; readableUntil: Date | null };

export const MAIL_COLUMNS: CsvColumns<ReturnType<typeof toRecord>> = [
  ['Mail', (row) => row.id],
  ['Agency', (row) => row.partnerName],
  ['To', (row) => row.to],
  ['Kind', (row) => row.kind],
  ['Subject', (row) => row.subject],
  ['Status', (row) => row.status],
  ['Tries', (row) => row.attempts],
  ['Error', (row) => row.lastError],
  ['Answer', (row) => row.lastAnswer],
  ['Queued', (row) => row.createdAt],
  ['Sent', (row) => row.sentAt],
];

/** Returns mail across partners, newest first, without bodies. */
export async function readMails(deps: MailDeps, actor: Actor, { limit, cursor, ...filters }: MailQuery) {
  return deps.db.asStaff(actor, async (tx) => {
    const bound = { ...filters, list: 'mail' };
    const [before = null] = deps.cursors.open(bound, cursor) ?? [];
    const rows = await listMailRows(tx, filters, before, limit + 1);
    await refuseUnknownScope(tx, { partnerId: filters.partnerId }, rows.length);
    const page = toPage(
      rows,
      limit,
      (row) => [row.id],
      (position) => deps.cursors.seal(bound, position),
    );
    return { ...page, data: page.data.map((row) => toRecord(deps, row)) };
  });
}

/**
 * Returns one mail. Text and links are included only without a transport, when staff pass them on by hand. They grant access to other
 * people's accounts, so they need a recent login and each read is audited (docs/behaviour/mail.md).
 */
export async function readMail(deps: MailDeps, caller: RequestContext, id: string) {
  const requireRecentLogin = await caller.checkLogin();
  return deps.db.asStaff(caller.actor, async (tx) => {
    const row = await findMail(tx, id);
    if (!row) return refuse('not_found');
    await recordAudit(tx, { ...auditOf(row, caller), action: 'mail.read' });
    const { sealed, keyId } = row;
    const hidden: Detail = { text: null, links: [], readableUntil: null };
    if (deps.mailer || !sealed || keyId === null || row.bodyUntil <= caller.now) return { ...toRecord(deps, row), ...hidden };
    requireRecentLogin();
    return { ...toRecord(deps, row), ...openForReading(deps, row, { sealed, keyId }) };
  });
}

function openForReading(deps: MailDeps, row: StoredMail, body: { sealed: Buffer; keyId: string }): Detail {
  try {
    const { text, links } = openBody(deps.dataKeys, row, body);
    return { text, links, readableUntil: row.bodyUntil };
  } catch (error) {
    if (!(error instanceof SealFault)) throw error;
    deps.log.error({ err: error }, 'mail body cannot be opened');
    return { text: null, links: [], readableUntil: null };
  }
}

/** Queues a failed mail again with all its attempts; also one that waits for staff, or was queued before a transport was configured. */
export async function retryMail(deps: MailDeps, caller: RequestContext, id: string) {
  return deps.db.asStaff(caller.actor, async (tx) => {
    const row = await findMail(tx, id);
    if (!row) return refuse('not_found');
    if (!deps.mailer) return refuse('mail_unavailable', { detail: 'No mail transport is configured (SMTP_HOST).' });
    if (!(await requeue(tx, id, caller.now)))
      return refuse('invalid_state', { detail: 'Only mail that failed or waits can be sent, and only while its text is stored.' });
    await enqueue(tx, sendMailJob, { mailId: id }, { key: `mail.send:${id}` });
    await recordMailStatus(tx, [row], 'queued');
    await recordAudit(tx, { ...auditOf(row, caller), action: 'mail.retried' });
    const fresh = await findMail(tx, id);
    return fresh ? toRecord(deps, fresh) : refuse('not_found');
  });
}

/** Leaving the newsletter erases the address, which a log cannot, so entries about its mail are without it. */
const OF_NEWSLETTER: ReadonlySet<string> = new Set<MailKind>(['newsletter_confirm', 'newsletter_subscribed']);

/** An entry that names a client, or someone of it, has its id, by which a purge finds it. */
function auditOf({ id, partnerId, clientId, to, kind }: StoredMail, caller: RequestContext): Omit<AuditEntry, 'action'> {
  const target = { type: 'mail', id, label: OF_NEWSLETTER.has(kind) ? null : to };
  return { partnerId, clientId, actor: caller.actor, target, changes: { kind: [null, kind] }, origin: originOf(caller) };
}

function toRecord(deps: Pick<MailDeps, 'mailer' | 'clock'>, row: MailRow) {
  const { id, partnerId, partnerName, to, kind, subject, status, heldFor, attempts, lastError, lastAnswer, nextTryAt, createdAt, sentAt } =
    row;
  const canRetry =
    deps.mailer !== null && ['held', 'failed', 'not_configured'].includes(status) && row.hasBody && row.bodyUntil > deps.clock.now();
  const { attachmentInvoiceId: invoiceId, attachmentName, attachmentBytes } = row;
  const attachment =
    invoiceId === null || attachmentName === null || attachmentBytes === null
      ? null
      : { invoiceId, name: attachmentName, bytes: attachmentBytes };
  const about = { id, partnerId, partnerName, to, kind, subject, status, createdAt, sentAt, heldFor: status === 'held' ? heldFor : null };
  return { ...about, attempts, lastError, lastAnswer, nextTryAt, canRetry, attachment };
}
