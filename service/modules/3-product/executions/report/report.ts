import { isCallbackToken } from '@partner-portal/core/execution/token.ts';
import type { ByteShares } from '#platform/byte-shares.ts';
import { refuse } from '#platform/refuse.ts';
import type { Secret } from '#platform/secret.ts';
import type { FactsOf } from '../workflow-facts.ts';
import type { Finisher, Report } from './finish.ts';

export type ReportDeps = { finisher: Finisher; callbackSecret: Secret; factsOf: FactsOf; reportShares: ByteShares };

/** Reports that wait to be stored: of all agencies, and of one. */
export const REPORT_BYTES = { total: 32 * 1024 * 1024, perKey: 8 * 1024 * 1024 };

/**
 * Accepts the final report of an execution. Its token is checked before any query. A repeated report gets the response of the first, so
 * that a flow never runs again because of it. `bytes` is its size as it was sent. Beyond what a process holds of an agency's reports it is refused,
 * and the flow repeats it.
 */
export async function reportExecution(
  deps: ReportDeps,
  token: string | undefined,
  report: Report,
  bytes: number,
): Promise<{ applied: boolean }> {
  if (!isCallbackToken(deps.callbackSecret.reveal(), report.executionId, token))
    refuse('invalid_callback_token', { detail: 'The header X-Callback-Token does not belong to this run.' });
  using share = deps.reportShares.hold((await deps.factsOf(report.workflowId))?.partnerId ?? '', bytes);
  if (share === undefined)
    refuse('service_unavailable', { detail: 'Many large reports of this account are being stored right now.', retryAfterSeconds: 1 });
  const { found, applied } = await deps.finisher.report(report);
  if (!found) refuse('not_found');
  return { applied };
}
