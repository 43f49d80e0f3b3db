import type { HelpedRuns } from './hours-saved.ts';

/** What an agency thinks one result of each template is worth to a client, in minor units of one currency. Templates without an amount count nothing. */
export type ResultValues = { currency: string; perResult: ReadonlyMap<string, number> };

/** Returns the estimated worth of these results in minor units; null while the agency states no amounts. */
export function worthOf(rows: readonly HelpedRuns[], values: ResultValues | null): number | null {
  if (values === null || values.perResult.size === 0) return null;
  return rows.reduce((sum, { templateName, helped }) => sum + helped * (values.perResult.get(templateName ?? '') ?? 0), 0);
}
