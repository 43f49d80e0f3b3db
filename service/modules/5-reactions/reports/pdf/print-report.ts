import type { Paper } from '@partner-portal/core/place/paper.ts';
import { reportFileName } from '@partner-portal/core/text/file-name.ts';
import { paperOf, reportTag } from '@partner-portal/core/report/paper.ts';
import { ComputeRefusal, defineTask } from '#platform/compute/compute-pool.ts';
import { createFairTurns, TurnRefusal } from '#platform/fair-turns.ts';
import type { PdfAnswer } from '#platform/http/answer.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { createKeptDocuments, type KeptDocuments } from '#platform/pdf/kept-documents.ts';
import { BUSY_RETRY_SECONDS, refuse } from '#platform/refuse.ts';
import { readLogo } from '#modules/2-tenancy/media/index.ts';
import type { ReportsDeps } from '../deps.ts';
import { readDocument, type ReportQuery } from '../read/read-report.ts';
import type { PrintReport } from './printing.ts';
import type { renderReport } from './render-report.ts';

const RENDER = defineTask<typeof renderReport>({
  file: new URL('./render-report.ts', import.meta.url),
  name: 'renderReport',
  deadlineMs: 20_000,
});
/** Reading and drawing: a user has one at a time, an agency half of the slots and of the places to wait. */
const TURNS = { slots: 4, perPart: 1, waitingMax: 64, waitMs: 20_000 };
const KEPT = { bytesMax: 16 * 1024 * 1024, keptMs: 3_600_000 };

/** For a reader who left while it waited. */
const NO_ONE_READS: PdfAnswer = { kind: 'pdf', filename: 'report.pdf', content: new Uint8Array() };

export type PrintQuery = ReportQuery & { paper?: Paper | undefined };
export type ReportPrinter = (context: RequestContext, clientId: string, query: PrintQuery) => Promise<PdfAnswer>;

/**
 * Prints reports in the agency's brand. Numbers, names and logo are read each time, with the rights of the reader; a PDF is drawn once while none of them
 * changes. Agencies take turns, so that those who print much delay no other.
 */
export function createReportPrinter(deps: ReportsDeps): ReportPrinter {
  const inTurn = createFairTurns(TURNS);
  const keep = createKeptDocuments(KEPT);
  return async (context, clientId, query) => {
    const { actor, signal } = context;
    try {
      return await inTurn({ key: actor.partnerId, part: actor.userId }, async () => {
        if (signal.aborted) return NO_ONE_READS;
        return printReport(deps, keep, context, clientId, query);
      });
    } catch (error) {
      if (!(error instanceof ComputeRefusal || error instanceof TurnRefusal)) throw error;
      return refuse('service_unavailable', {
        detail: 'The PDF could not be made in time. Try again.',
        retryAfterSeconds: BUSY_RETRY_SECONDS,
        cause: error,
      });
    }
  };
}

async function printReport(
  deps: ReportsDeps,
  keep: KeptDocuments,
  context: RequestContext,
  clientId: string,
  query: PrintQuery,
): Promise<PdfAnswer> {
  const [report, locale] = await readDocument(deps, context, clientId, query);
  const { timezone } = report.client;
  const print: PrintReport = {
    report,
    tag: reportTag(locale, timezone),
    paper: query.paper ?? paperOf(timezone),
    logo: await readLogo(deps, report.partner.id),
  };
  // Everything that is drawn but the time at which it is.
  const { logo, report: { generatedAt: _drawnAt, ...drawn }, ...rest } = print; // prettier-ignore
  const state = JSON.stringify([drawn, rest]);
  const bytes = 2 * state.length + (logo?.length ?? 0);
  const content = await keep([state, logo ?? ''], () => deps.compute.run(RENDER, print, { key: report.partner.id, bytes }));
  return { kind: 'pdf', filename: reportFileName(report.client.name, report.month, 'pdf'), content };
}
