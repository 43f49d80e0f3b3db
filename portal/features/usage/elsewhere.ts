import { creditsElsewhere, USAGE_ROWS_MAX } from '@partner-portal/core/quota/breakdown.ts';
import type { UsageRow } from '../../shared/usage-columns.tsx';

/** What the meter counted when the rows of the same period were read. */
export type MeterRead = { used: number; periodStart: string };

/** Returns the row with which a breakdown adds up to the meter that was read with it; undefined where nothing is missing, or nothing explains it. */
export function elsewhereRow(rows: readonly UsageRow[], meter: MeterRead | undefined, from: string): UsageRow | undefined {
  const credits = meter === undefined ? 0 : creditsElsewhere(meter.used, rows);
  if (meter === undefined || credits === 0) return undefined;
  const isCut = rows.length >= USAGE_ROWS_MAX;
  // Rows have too much only of the hour in which the period began.
  if (credits < 0 && (isCut || Date.parse(meter.periodStart) <= Date.parse(from))) return undefined;
  const label = isCut
    ? 'Others'
    : credits > 0
      ? 'Removed since, or begun before this period'
      : 'Used before this period, in its first hour';
  return { key: 'elsewhere', label, credits, runs: 0, failed: 0 };
}
