import { paperOf, reportTag } from '@partner-portal/core/report/paper.ts';
import { ComputeRefusal, defineTask } from '#platform/compute/compute-pool.ts';
import type { PdfAnswer } from '#platform/http/answer.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { FileGone, readWhole } from '#modules/1-ledger/files/index.ts';
import { findLogo } from '#modules/2-tenancy/media/index.ts';
import type { ReportsDeps } from '../deps.ts';
import { readDocument, type ReportQuery } from '../read/read-report.ts';
import type { PrintReport } from './printing.ts';
import type { renderReport } from './render-report.ts';

const RENDER = defineTask<typeof renderReport>({
  file: new URL('./render-report.ts', import.meta.url),
  name: 'renderReport',
  deadlineMs: 20_000,
});
const RETRY_SECONDS = 5;

/** Returns the report as a PDF in the agency's brand. It is drawn anew each time: its numbers may still change. */
export async function printReport(
  deps: ReportsDeps,
  context: RequestContext,
  clientId: string,
  query: ReportQuery & { paper?: 'A4' | 'Letter' | undefined },
): Promise<PdfAnswer> {
  const [report, locale] = await readDocument(deps, context, clientId, query);
  const { timezone } = report.client;
  const print: PrintReport = {
    report,
    tag: reportTag(locale, timezone),
    paper: query.paper ?? paperOf(timezone),
    logo: await readLogo(deps, report.partner.id),
  };
  const bytes = 2 * JSON.stringify(report).length + (print.logo?.length ?? 0);
  const content = await deps.compute.run(RENDER, print, { key: report.partner.id, bytes }).catch((error: unknown) => {
    if (!(error instanceof ComputeRefusal)) throw error;
    return refuse('service_unavailable', {
      detail: 'The PDF could not be made in time. Try again.',
      retryAfterSeconds: RETRY_SECONDS,
      cause: error,
    });
  });
  return { kind: 'pdf', filename: `report-${report.month}.pdf`, content };
}

/** A logo that is removed at this moment is not printed. */
async function readLogo({ db, files }: ReportsDeps, partnerId: string): Promise<Uint8Array | null> {
  const logo = await db.asSystem('files', (tx) => findLogo(tx, partnerId, 'small'));
  if (!logo) return null;
  try {
    return await readWhole(files, { ...logo, owner: { partnerId, clientId: null } });
  } catch (error) {
    if (error instanceof FileGone) return null;
    throw error;
  }
}
