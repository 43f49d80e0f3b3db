import { addMonths, startOfMonth } from '@partner-portal/core/report/month.ts';
import { localeOf } from '@partner-portal/messages/locale.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { NewMail } from '#modules/1-ledger/mail/index.ts';
import type { ReportsDeps } from '../deps.ts';
import { readHoursPerRun } from '../hours/estimates.ts';
import { resultsOf, totalsOf } from '../read/read-report.ts';
import { listMonths, type ReportClient } from '../read/store.ts';
import type { Reader } from './store.ts';

type Deps = Pick<ReportsDeps, 'catalog' | 'mail'>;
export type ComposeFor = (reader: Reader) => Extract<NewMail, { kind: 'report_ready' }>;

/**
 * Returns what writes the mail of a finished month to each of its readers; null when no agent ran in it. A mail holds less than the page, so
 * it reads two months of counters and nothing of the runs.
 */
export async function prepareMail({ catalog, mail }: Deps, tx: Tx, client: ReportClient, month: string): Promise<ComposeFor | null> {
  const starts = [addMonths(month, -1), month].map((one) => startOfMonth(one, client.timezone));
  const [rows, perRun] = await Promise.all([
    listMonths(tx, { partnerId: client.partnerId, clientId: client.id }, starts, startOfMonth(addMonths(month, 1), client.timezone)),
    readHoursPerRun(tx, client.partnerId, catalog),
  ]);
  const [before, own] = [0, 1].map((index) => rows.filter((row) => row.month === index));
  if (!before || !own) return null;
  const totals = totalsOf(own, perRun, false);
  if (totals.runs === 0) return null;
  const previous = totalsOf(before, perRun, false);
  return ({ userId, email, locale, role }) => {
    const unsubscribeHref = mail.links.address('/reports/unsubscribe', mail.links.seal('report-off', [client.id, userId]));
    const page = role === 'CLIENT' ? '/client/report' : `/dashboard/clients/${client.id}/report`;
    return {
      partnerId: client.partnerId,
      to: email,
      userId,
      about: { partnerId: client.partnerId, clientId: client.id },
      kind: 'report_ready',
      data: {
        locale,
        clientName: client.name,
        month,
        helped: totals.helped,
        hoursSaved: totals.hoursSaved,
        failed: totals.failed,
        previousHelped: previous.runs === 0 ? null : previous.helped,
        results: resultsOf({ catalog }, { own, before, perRun, locale: localeOf(locale) }),
        href: `${page}?month=${month}`,
        unsubscribeHref,
      },
      listUnsubscribe: { url: unsubscribeHref },
    };
  };
}
