/** Hours as the whole minutes an agency reads and types; the service keeps hundredths of an hour, which are finer. */
export function minutesOf(hours: number): string {
  return String(Math.round(hours * 60));
}

/** Returns the hours of typed minutes, or undefined for what is no whole number of minutes up to `most`. */
export function parseMinutes(text: string, most: number): number | undefined {
  const clean = text.trim();
  if (!/^\d{1,6}$/.test(clean)) return undefined;
  const minutes = Number(clean);
  return minutes > most ? undefined : Math.round((minutes / 60) * 100) / 100;
}
