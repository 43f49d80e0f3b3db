import { isCallbackToken } from '@partner-portal/core/execution/token.ts';
import { refuse } from '#platform/refuse.ts';
import type { Secret } from '#platform/secret.ts';
import type { Finisher, Report } from './finish.ts';

export type ReportDeps = { finisher: Finisher; callbackSecret: Secret };

/**
 * Accepts the final report of an execution. Its token is checked before any query. A repeated report gets the response of the first, so
 * that a flow never runs again because of it.
 */
export async function reportExecution(deps: ReportDeps, token: string | undefined, report: Report): Promise<{ applied: boolean }> {
  if (!isCallbackToken(deps.callbackSecret.reveal(), report.executionId, token))
    refuse('invalid_callback_token', { detail: 'The header X-Callback-Token does not belong to this run.' });
  const { found, applied } = await deps.finisher.report(report);
  if (!found) refuse('not_found');
  return { applied };
}
