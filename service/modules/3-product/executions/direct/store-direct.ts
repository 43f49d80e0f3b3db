import type { Locale } from '@partner-portal/contract/locales.ts';
import type { Database } from '#platform/db/tx.ts';

/** An agent as a direct call needs it, and the run of the turn when it was accepted before. */
export type DirectRow = {
  partnerId: string;
  clientId: string | null;
  providerFlowId: string | null;
  templateName: string;
  templateVersion: number | null;
  config: Record<string, unknown> | null;
  clientName: string;
  timezone: string;
  locale: Locale;
  businessProfile: Record<string, string>;
  textCountries: string[] | null;
  businessPhone: string | null;
  lastContactAt: Date | null;
  aboutAt: Date | null;
  lastMailAt: Date | null;
  optedOut: boolean;
  numberOptedOut: boolean;
  listedAddresses: string[];
  /** Agent of the run; null: the turn has none yet. The members below are then null as well. */
  ranBy: string | null;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | null;
  startedAt: Date | null;
  summary: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  input: Record<string, unknown> | null;
  understood: Record<string, unknown> | null;
  output: unknown;
};

/** Reads an agent and the run of this turn; undefined when there is no such agent. `contact` decides about last contact and stop list, `textedNumber` and `mailedAddress` about the stop list, `event` about what was sent about the same quote or visit. */
export async function readDirectRun(
  db: Database,
  run: {
    executionId: string;
    workflowId: string;
    contact: string | null;
    textedNumber: string | null;
    mailedAddress: string | null;
    event: string;
  },
): Promise<DirectRow | undefined> {
  const [row] = await db.call<'direct_run', DirectRow>({
    name: 'direct_run',
    text: 'select * from direct_run($1, $2, $3, $4, $5, $6)',
    values: [run.executionId, run.workflowId, run.contact, run.textedNumber, run.mailedAddress, run.event],
  });
  return row;
}

export type TimedOutTurn = { id: string; workflowId: string; providerFlowId: string; startedAt: Date };

/** Lists runs of conversations that ended with timeout within the last minutes. */
export function readTimedOutTurns(
  db: Database,
  { withinMinutes, batch }: { withinMinutes: number; batch: number },
): Promise<TimedOutTurn[]> {
  return db.call<'timed_out_turns', TimedOutTurn>({
    name: 'timed_out_turns',
    text: 'select * from timed_out_turns($1, $2)',
    values: [withinMinutes, batch],
  });
}
