import { addMonths, startOfMonth } from '@partner-portal/core/report/month.ts';
import { englishIn, localeOf } from '@partner-portal/messages/locale.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { NewMail } from '#modules/1-ledger/mail/index.ts';
import type { ReportsDeps } from '../deps.ts';
import { readHoursPerRun } from '../hours/estimates.ts';
import { resultsOf, totalsOf, worthRecord } from '../read/read-report.ts';
import { listMonths, type ReportClient } from '../read/store.ts';
import { readWorth } from '../values/result-values.ts';
import type { Reader } from './store.ts';

type Deps = Pick<ReportsDeps, 'catalog' | 'mail'>;
type MailedMonth = { month: string; isFinished: boolean };
export type ComposeFor = (reader: Reader) => Extract<NewMail, { kind: 'report_ready' }>;

/**
 * Returns what writes the mail of a month to each of its readers; null when no agent ran in it. Only one that has ended is compared. A mail holds less than the page, so
 * it reads two months of counters and nothing of the runs.
 */
export async function prepareMail(
  { catalog, mail }: Deps,
  tx: Tx,
  client: ReportClient,
  { month, isFinished }: MailedMonth,
): Promise<ComposeFor | null> {
  const starts = [addMonths(month, -1), month].map((one) => startOfMonth(one, client.timezone));
  const [rows, perRun, values] = await Promise.all([
    listMonths(tx, { partnerId: client.partnerId, clientId: client.id }, starts, startOfMonth(addMonths(month, 1), client.timezone)),
    readHoursPerRun(tx, client.partnerId, catalog),
    readWorth(tx, client.partnerId),
  ]);
  const [before, own] = [0, 1].map((index) => rows.filter((row) => row.month === index));
  if (!before || !own) return null;
  const totals = totalsOf(own, perRun, null);
  if (totals.runs === 0) return null;
  const previous = isFinished ? totalsOf(before, perRun, null) : null;
  return ({ userId, email, locale, role }) => {
    const unsubscribeHref = mail.links.address('/reports/unsubscribe', mail.links.seal('report-off', [client.id, userId]));
    // The team of an agency reads English, with the numbers of its region.
    const tag = role === 'CLIENT' ? locale : englishIn(locale);
    const page = role === 'CLIENT' ? '/client/report?' : `/dashboard/clients/${client.id}?tab=report&`;
    return {
      partnerId: client.partnerId,
      to: email,
      userId,
      about: { partnerId: client.partnerId, clientId: client.id },
      locale: tag,
      kind: 'report_ready',
      data: {
        clientName: client.name,
        month,
        helped: totals.helped,
        hoursSaved: totals.hoursSaved,
        failed: totals.failed,
        previousHelped: previous === null || previous.runs === 0 ? null : previous.helped,
        worth: worthRecord(own, before, values),
        results: resultsOf({ catalog }, { own, before, perRun, worth: values, locale: localeOf(tag) }),
        href: `${page}month=${month}`,
        unsubscribeHref,
      },
      listUnsubscribe: { url: unsubscribeHref },
    };
  };
}
