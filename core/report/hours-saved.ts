/** Hours one helpful run saves, by the template of its agent. */
export type HoursPerRun = ReadonlyMap<string, number>;

/** Results of the agents of one template; null when the template is not known any more. */
export type HelpedRuns = { templateName: string | null; helped: number };

/**
 * Returns what one run of each template saves: the agency's own estimate, else the catalog's. Both are estimates of people, and a change
 * counts for past months too.
 */
export function hoursPerRun(
  catalog: readonly { name: string; hoursSavedPerRun: number }[],
  own: readonly { templateName: string; hours: number }[],
): HoursPerRun {
  const estimates = new Map(catalog.map((template) => [template.name, template.hoursSavedPerRun]));
  for (const { templateName, hours } of own) estimates.set(templateName, hours);
  return estimates;
}

/** Returns the hours that these runs saved, rounded to a tenth once all are added. */
export function hoursSaved(rows: readonly HelpedRuns[], perRun: HoursPerRun): number {
  const hours = rows.reduce((sum, { templateName, helped }) => sum + helped * (perRun.get(templateName ?? '') ?? 0), 0);
  return Math.round(hours * 10) / 10;
}
