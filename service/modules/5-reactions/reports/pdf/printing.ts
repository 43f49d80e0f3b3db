import type { Paper } from '@partner-portal/core/place/paper.ts';
import { monthName } from '@partner-portal/core/report/format.ts';
import { deriveMailBrand } from '@partner-portal/core/tenancy/brand.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { openSheet } from '#platform/pdf/sheet.ts';
import { printable } from '#platform/pdf/printable.ts';
import type { Report } from '../read/read-report.ts';

/** Everything a printed report needs. */
export type PrintReport = {
  report: Report;
  /** Language tag of numbers and dates. */
  tag: string;
  paper: Paper;
  /** The agency's logo, a PNG. */
  logo: Uint8Array | null;
};

/** Shared tools of all drawn parts. */
export type Printing = ReturnType<typeof printingOf>;

/** Opens the document of a report. */
export function printingOf({ report, tag, paper }: PrintReport) {
  const { t } = messagesFor(tag, report.client.timezone);
  const agency = printable(report.partner.name);
  const client = printable(report.client.name);
  const month = monthName(report.month, tag);
  const title = t('report.title');
  return {
    report,
    tag,
    t,
    agency,
    client,
    month,
    title,
    colours: deriveMailBrand(report.partner.brandColor),
    number: new Intl.NumberFormat(tag, { maximumFractionDigits: 1 }),
    sheet: openSheet({
      paper,
      info: { Title: `${title} · ${client} · ${month}`, Author: agency, Subject: `${client}, ${month}` },
      createdAt: report.generatedAt,
      footer: `${agency} · ${client} · ${month}`,
      lang: tag,
      creator: agency,
      pageLabel: (page, count) => t('report.page', { page, count }),
    }),
  };
}
