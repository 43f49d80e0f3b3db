import { formatRoughly } from '@partner-portal/core/billing/money.ts';
import { monthName } from '@partner-portal/core/report/format.ts';
import { addMonths } from '@partner-portal/core/report/month.ts';
import type { MailData } from '../kinds.ts';
import { action, type Content, facts, quietLink, small, text, type TextContext } from './content.ts';
import { businessName, plainLine } from './plain.ts';

/** Rows of a mail; the page has all. */
const RESULTS_SHOWN = 12;

export function reportReady(data: MailData['report_ready'], { partnerName, link, t, tag }: TextContext): Content {
  const client = businessName(data.clientName);
  const month = monthName(data.month, tag);
  const { helped: count, hoursSaved: hours, failed, previousHelped, worth } = data;
  const shown = data.results.slice(0, RESULTS_SHOWN);
  const more = data.results.length - shown.length;
  const number = new Intl.NumberFormat(tag);
  return {
    subject: t('report.mailSubject', { client, month }),
    heading: t('report.mailHeading', { client, month }),
    blocks: [
      text(
        [
          hours >= 1 ? t('report.mailSaved', { count, hours }) : t('report.mailHelped', { count }),
          ...(previousHelped === null ? [] : [comparison(count - previousHelped, monthName(addMonths(data.month, -1), tag))]),
          ...(worth === null || worth.minor === 0
            ? []
            : [t('report.mailWorth', { agency: partnerName, amount: formatRoughly(worth.minor, worth.currency, tag) })]),
        ].join(' '),
      ),
      ...(shown.length === 0
        ? []
        : [
            facts(
              ...shown.map((one) => [businessName(one.agentName), `${number.format(one.count)} ${plainLine(one.phrase, 200)}`] as const),
            ),
          ]),
      ...(more === 0 ? [] : [small(t('report.mailMoreAgents', { count: more }))]),
      ...(failed === 0 ? [] : [text(t('report.mailFailed', { count: failed }))]),
      action(t('report.mailOpen'), link(data.href)),
      quietLink(t('report.mailUnsubscribe'), link(data.unsubscribeHref)),
    ],
    reason: t('report.mailReason', { agency: partnerName, client }),
  };

  function comparison(difference: number, before: string): string {
    if (difference === 0) return t('report.mailSame', { month: before });
    return difference > 0
      ? t('report.mailUp', { count: difference, month: before })
      : t('report.mailDown', { count: -difference, month: before });
  }
}
