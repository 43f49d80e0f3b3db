/** Which time zones a country has, by the runtime's own data. */

/** Returns the current name of a time zone: old names, such as US/Central, become current ones; null for what is no zone. */
export function currentZone(timezone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Returns the zones of a country, by their current names. */
export function zonesOf(country: string): readonly string[] {
  const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & { timeZones?: string[]; getTimeZones?: () => string[] }; // a getter in some runtimes, a method in others
  const zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
  return zones.flatMap((zone) => currentZone(zone) ?? []);
}
