import { reportFileName } from '@partner-portal/core/text/file-name.ts';
import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { majorOf } from '@partner-portal/core/billing/currency.ts';
import { weekdayName } from '@partner-portal/core/report/format.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import type { CsvAnswer } from '#platform/http/answer.ts';
import type { CsvValue } from '#platform/http/csv.ts';
import { onePage } from '#platform/http/csv-list.ts';
import type { Report } from './read-report.ts';

/** Returns the report as one figure per row, so that a spreadsheet can sort and sum it. Headings are in a language, `readerTag` says how the reader's spreadsheet reads numbers. */
export function csvOfReport(report: Report, locale: Locale, readerTag: string): CsvAnswer {
  const { t, tag } = messagesFor(locale, report.client.timezone);
  const { month, totals } = report;
  const amountOf = (minor: number): number => majorOf(minor, report.worth?.currency ?? '');
  const rows: CsvValue[][] = [
    ...(['runs', 'succeeded', 'failed', 'contacted', 'helped', 'hoursSaved', 'credits'] as const).flatMap((name) =>
      totals[name] === null ? [] : [[t('report.totals'), month, report.client.name, t(`report.${name}`), totals[name]]],
    ),
    ...(report.worth === null
      ? []
      : [
          [
            t('report.totals'),
            month,
            report.client.name,
            t('report.worth', { currency: report.worth.currency }),
            amountOf(report.worth.minor),
          ],
        ]),
    ...report.results.flatMap((result) => [
      [t('report.results'), month, result.agentName, result.phrase, result.count],
      ...(['runs', 'failed', 'hoursSaved'] as const).map((name) => [
        t('report.results'),
        month,
        result.agentName,
        t(`report.${name}`),
        result[name],
      ]),
      ...(report.worth === null || result.worthMinor === null
        ? []
        : [
            [
              t('report.results'),
              month,
              result.agentName,
              t('report.worth', { currency: report.worth.currency }),
              amountOf(result.worthMinor),
            ],
          ]),
    ]),
    ...report.trend.flatMap((one) =>
      (['helped', 'runs', 'failed', 'hoursSaved'] as const).map((name) => [
        t('report.trend'),
        one.month,
        report.client.name,
        t(`report.${name}`),
        one[name],
      ]),
    ),
    ...report.busiestHours.map(({ weekday, hour, runs }) => [
      t('report.busiestHours'),
      month,
      `${weekdayName(weekday, tag)} ${String(hour).padStart(2, '0')}:00`,
      t('report.runs'),
      runs,
    ]),
    ...report.failures.flatMap(({ text, count, handled }) => [
      [t('report.failures'), month, text, t('report.failed'), count],
      [t('report.failures'), month, text, t('report.handled'), handled],
    ]),
  ];
  return {
    kind: 'csv',
    filename: reportFileName(report.client.name, month, 'csv'),
    columns: [
      t('report.columnPart'),
      t('report.columnMonth'),
      t('report.columnSubject'),
      t('report.columnFigure'),
      t('report.columnValue'),
    ],
    pages: onePage(rows),
    tag: readerTag,
  };
}
